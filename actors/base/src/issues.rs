//! What is wrong with something, for whoever can mend it. It is bounded while it is found, not cut afterwards: what a caller
//! sends may break a rule a million times, or in a name of a megabyte.

use std::fmt::{self, Display, Write as _};

/// More issues than these are not told: nobody mends a hundred at once.
const ISSUES_MAX: usize = 100;
/// An issue is told up to this many characters.
const ISSUE_CHARACTERS_MAX: usize = 200;
/// A foreign text is quoted up to this many characters.
const QUOTED_CHARACTERS_MAX: usize = 64;

/// Issues in the order in which they were found: the first hundred, each of at most 200 characters and then `…`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Issues(Vec<String>);

impl Issues {
    /// A single one.
    pub fn one(issue: impl Display) -> Self {
        Self::from_iter([issue])
    }

    /// Adds one, unless there are enough. Nothing of it beyond the bound is ever written.
    pub fn push(&mut self, issue: impl Display) {
        if !self.is_full() {
            let mut cut = Cut::default();
            // It fails when enough is written; what stands there is the issue.
            let _ = write!(cut, "{issue}");
            self.0.push(cut.text);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether more would not be told, so that nobody need look for more.
    pub fn is_full(&self) -> bool {
        self.0.len() >= ISSUES_MAX
    }

    /// The issues as texts.
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

impl<T: Display> Extend<T> for Issues {
    /// Takes no more than are told.
    fn extend<I: IntoIterator<Item = T>>(&mut self, issues: I) {
        let room = ISSUES_MAX - self.0.len();
        for issue in issues.into_iter().take(room) {
            self.push(issue);
        }
    }
}

impl<T: Display> FromIterator<T> for Issues {
    fn from_iter<I: IntoIterator<Item = T>>(issues: I) -> Self {
        let mut found = Self::default();
        found.extend(issues);
        found
    }
}

impl IntoIterator for Issues {
    type Item = String;
    type IntoIter = std::vec::IntoIter<String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A text of somebody else within an issue: its first 64 characters, then `…`.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(QUOTED_CHARACTERS_MAX) {
            None => f.write_str(self.0),
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
        }
    }
}

/// Writes so many characters and then refuses.
struct Cut {
    text: String,
    room: Option<usize>,
}

impl Default for Cut {
    fn default() -> Self {
        Self {
            text: String::new(),
            room: Some(ISSUE_CHARACTERS_MAX),
        }
    }
}

impl fmt::Write for Cut {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let room = self.room.ok_or(fmt::Error)?;
        if let Some((end, _)) = piece.char_indices().nth(room) {
            self.room = None;
            self.text.push_str(&piece[..end]);
            self.text.push('…');
            return Err(fmt::Error);
        }
        self.room = Some(room - piece.chars().count());
        self.text.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Issues, Quoted};

    #[test]
    fn no_more_than_100_issues_are_looked_for() {
        let mut asked = 0;
        let endless = std::iter::repeat_with(|| {
            asked += 1;
            "wrong"
        });
        let mut issues = Issues::one("first");
        issues.extend(endless);
        assert!(issues.is_full());
        assert_eq!(asked, 99);
        issues.push("one more");
        assert_eq!(issues.into_vec().len(), 100);
    }

    #[test]
    fn an_issue_has_at_most_200_characters_and_then_says_so() {
        for (issue, expected) in [
            ("é".repeat(200), "é".repeat(200)),
            ("é".repeat(201), "é".repeat(200) + "…"),
            ("é".repeat(4_000_000), "é".repeat(200) + "…"),
        ] {
            let once = Issues::one(&issue).into_vec();
            assert_eq!(once, [expected]);
            assert_eq!(
                Issues::from_iter(&once).into_vec(),
                once,
                "what was cut stays as it is"
            );
        }
        let (a, b) = ("é".repeat(199), "bc");
        assert_eq!(
            Issues::one(format_args!("{a}{b}{a}")).into_vec(),
            [format!("{a}b…")]
        );
    }

    #[test]
    fn a_foreign_text_is_quoted_up_to_64_characters() {
        assert_eq!(Quoted(&"é".repeat(64)).to_string(), "é".repeat(64));
        assert_eq!(Quoted(&"é".repeat(65)).to_string(), "é".repeat(64) + "…");
    }
}
