//! The table of rules: what the specification's texts demand, and the tests that are named after it.
//!
//! `infra/tidy/rules/*.md` holds one row a rule: its id, the rule in our words, and the units of the texts that say it. A test is
//! named after a rule when its name is the id, or begins with the id and an underscore. A *unit* of a text is a row of a table, a
//! block of code, or a sentence; it is known by the first eight digits of the SHA-256 over its words, so that the table finds
//! out when a text changes and copies nothing of it.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::Finding;
use crate::tree::File;

/// The id of a row whose units demand nothing of a server: examples, reasons, headings.
const NOTHING: &str = "-";

/// The id of a row whose rule is not built yet; the row says what is missing.
const MISSING: &str = "missing";

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The table's path.
    pub path: String,
    /// The row's line, counted from 1.
    pub line: usize,
    /// What its tests are named after.
    pub id: String,
    /// The rule in a sentence.
    pub says: String,
    /// The units that say it.
    pub units: Vec<String>,
}

/// A unit of a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Unit {
    /// Line where it begins, counted from 1.
    pub line: usize,
    /// Its words, one space between two.
    pub words: String,
}

impl Unit {
    /// What the table calls it.
    pub fn digest(&self) -> String {
        let digest: [u8; 32] = Sha256::digest(self.words.as_bytes()).into();
        let [a, b, c, d, ..] = digest;
        format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
    }
}

/// The rows of a table: lines `| id | rule | units |`.
pub fn rows(table: &File) -> Vec<Rule> {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let is_row = |cells: &[String]| cells.len() == 5 && cells[1] != "id" && !cells[1].starts_with("---");
    (1..)
        .zip(table.text.lines())
        .filter(|(_, line)| line.starts_with('|'))
        .map(|(at, line)| (at, cells(line)))
        .filter(|(_, cells)| is_row(cells))
        .map(|(line, cells)| Rule {
            path: table.path.clone(),
            line,
            id: cells[1].trim_matches('`').to_owned(),
            says: cells[2].clone(),
            units: cells[3].split_whitespace().map(str::to_owned).collect(),
        })
        .collect()
}

/// Rules without a test that is named after them, and ids that stand twice in one table. What two texts say has a row in the table of
/// each.
pub fn untested(rules: &[Rule], tests: &BTreeSet<String>) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for rule in rules
        .iter()
        .filter(|rule| rule.id != NOTHING && rule.id != MISSING)
    {
        if !is_tested(&rule.id, tests) {
            findings.push(Finding::new(
                &rule.path,
                rule.line,
                format!(
                    "no test is named after `{}`: write it, or name the test that holds it",
                    rule.id
                ),
            ));
        }
        if !seen.insert((&rule.path, &rule.id)) {
            findings.push(Finding::new(
                &rule.path,
                rule.line,
                format!("`{}` has another row", rule.id),
            ));
        }
    }
    findings
}

fn is_tested(id: &str, tests: &BTreeSet<String>) -> bool {
    let longer = format!("{id}_");
    tests.contains(id)
        || tests
            .range(longer.clone()..)
            .next()
            .is_some_and(|test| test.starts_with(&longer))
}

/// Units of a text that no row has, and that therefore nobody has looked at.
pub fn unclaimed(path: &str, text: &str, rules: &[Rule]) -> Vec<Finding> {
    let claimed: BTreeSet<&str> = rules
        .iter()
        .flat_map(|rule| &rule.units)
        .map(String::as_str)
        .collect();
    units(text)
        .into_iter()
        .filter(|unit| !claimed.contains(unit.digest().as_str()))
        .map(|unit| {
            let mend = format!("no row of infra/tidy/rules has {}: {}", unit.digest(), unit.words);
            Finding::new(path, unit.line, mend)
        })
        .collect()
}

/// Units that rows have and no text: the text has changed, so the row is to be read again.
pub fn outdated(texts: &[&str], rules: &[Rule]) -> Vec<Finding> {
    let known: BTreeSet<String> = texts
        .iter()
        .flat_map(|text| units(text))
        .map(|unit| unit.digest())
        .collect();
    let claims = rules
        .iter()
        .flat_map(|rule| rule.units.iter().map(move |unit| (rule, unit)));
    claims
        .filter(|(_, unit)| !known.contains(*unit))
        .map(|(rule, unit)| Finding::new(&rule.path, rule.line, format!("no text has {unit} any more")))
        .collect()
}

/// The units of a text, in order.
pub fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    for (line, block) in blocks(text) {
        if block.starts_with('|') || block.starts_with("```") {
            units.push(unit(line, &block));
        } else {
            units.extend(sentences(&block).into_iter().map(|sentence| unit(line, sentence)));
        }
    }
    units.retain(|unit| !unit.words.is_empty());
    units
}

fn unit(line: usize, text: &str) -> Unit {
    let words: Vec<&str> = text.split_whitespace().collect();
    Unit {
        line,
        words: words.join(" "),
    }
}

/// Paragraphs, list items, table rows and blocks of code, each with its first line.
fn blocks(text: &str) -> BTreeMap<usize, String> {
    let mut blocks: BTreeMap<usize, String> = BTreeMap::new();
    let mut open = None;
    let mut in_code = false;
    for (at, line) in (1..).zip(text.lines()) {
        let is_fence = line.starts_with("```");
        let stands_alone = line.starts_with('|');
        let begins = stands_alone || line.starts_with("- ") || is_numbered(line) || (is_fence && !in_code);
        if !in_code && (line.trim().is_empty() || line.starts_with('#') || line.starts_with("|---")) {
            open = None;
            continue;
        }
        if begins && !in_code {
            open = None;
        }
        let first = *open.get_or_insert(at);
        let block = blocks.entry(first).or_default();
        block.push_str(line);
        block.push('\n');
        in_code ^= is_fence;
        if stands_alone || (is_fence && !in_code) {
            open = None;
        }
    }
    blocks
}

fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(". ")
}

/// Cuts after a full stop, question mark or colon-less end that a capital letter, a backtick or a quote follows.
fn sentences(block: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in block.match_indices(['.', '?', '!']) {
        let rest = &block[at + 1..];
        let next = rest.trim_start();
        let is_spaced = next.len() < rest.len();
        if is_spaced && next.starts_with(|letter: char| letter.is_uppercase() || "`\"*(".contains(letter)) {
            sentences.push(&block[start..=at]);
            start = at + 1;
        }
    }
    sentences.push(&block[start..]);
    sentences
}

/// The names of all tests in Rust, Python and JavaScript sources.
pub fn tests<'a>(files: impl Iterator<Item = &'a File>) -> BTreeSet<String> {
    files
        .flat_map(|file| match file.extension() {
            "rs" => [rust_tests(&file.text), contract_tests(&file.text)].concat(),
            "py" => python_tests(&file.text),
            _ => Vec::new(),
        })
        .collect()
}

/// The function after a line with `#[test]`, `#[tokio::test…]` or `#[test_case…]`.
fn rust_tests(text: &str) -> Vec<String> {
    let mut is_test = false;
    let mut names = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let attribute = line.strip_prefix("#[").unwrap_or_default();
        if attribute.starts_with("test") || attribute.starts_with("tokio::test") {
            is_test = true;
        }
        let name = line.trim_start_matches("async ").strip_prefix("fn ");
        if let Some(name) = name.and_then(|name| name.split(['(', '<']).next()) {
            if is_test {
                names.push(name.to_owned());
            }
            is_test = false;
        }
    }
    names
}

/// The rules of the stores' contract, of which `run_sim::contract_tests` makes a test for each store.
fn contract_tests(text: &str) -> Vec<String> {
    let rules = text.lines().filter_map(|line| {
        line.strip_prefix("pub async fn ")?
            .strip_suffix("(subject: &Subject) {")
    });
    rules.map(str::to_owned).collect()
}

fn python_tests(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            line.trim_start()
                .trim_start_matches("async ")
                .strip_prefix("def test_")
        })
        .filter_map(|name| name.split('(').next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> File {
        File {
            path: "rules/sample.md".into(),
            text: text.into(),
        }
    }

    #[test]
    fn a_text_is_cut_into_rows_blocks_and_sentences() {
        let text = "# Head\n\nOne thing.\nAnother `x` is so. `y` too.\n\n| a | b |\n|---|---|\n| c | d |\n\n- item\n  goes on\n1. first\n\n```\ncode. A\n\nmore\n```\n";
        let words: Vec<String> = units(text).into_iter().map(|unit| unit.words).collect();
        assert_eq!(
            words,
            [
                "One thing.",
                "Another `x` is so.",
                "`y` too.",
                "| a | b |",
                "| c | d |",
                "- item goes on",
                "1. first",
                "``` code. A more ```"
            ]
        );
    }

    #[test]
    fn a_rule_without_a_test_is_found() {
        let rules = rows(&table(
            "| id | rule | said by |\n|---|---|---|\n| `ids_differ` | Ids differ. | |\n| held | Held. | |\n| held | Twice. | |\n| - | Why. | |\n| missing | Not yet. | |\n",
        ));
        let tests = rust_tests("#[test]\nfn held_in_a_case() {}\nfn ids_differ() {}\n")
            .into_iter()
            .collect();
        let findings: Vec<String> = untested(&rules, &tests).iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "rules/sample.md:3: no test is named after `ids_differ`: write it, or name the test that holds it",
                "rules/sample.md:5: `held` has another row"
            ]
        );
    }

    #[test]
    fn a_unit_that_no_row_has_is_found_and_a_row_whose_unit_is_gone() {
        let text = "Kept. Lost.";
        let kept = units(text)[0].digest();
        let rules = rows(&table(&format!("| held | Kept. | {kept} 00000000 |\n")));
        let lost: Vec<String> = unclaimed("text.md", text, &rules)
            .iter()
            .map(|finding| finding.mend.clone())
            .collect();
        assert_eq!(
            lost,
            [format!(
                "no row of infra/tidy/rules has {}: Lost.",
                units(text)[1].digest()
            )]
        );
        assert_eq!(outdated(&[text], &rules).len(), 1);
    }
}
