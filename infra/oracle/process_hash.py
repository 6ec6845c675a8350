"""Content hashes and refusals of PROCESS.md files, worked out independently and compared with `baton process check`.

Hashes: the frontmatter is parsed by ruamel.yaml (its own YAML 1.2 parser), scalars are resolved by the regular expressions
of YAML 1.2.2 section 10.3.2, the canonical text is made by rfc8785, and SHA-256 by hashlib. rfc8785 knows doubles and
integers up to 2^53 only; that is enough, because a number that it would round is refused in a frontmatter.

Refusals: files of the corpus are changed at random places; what the public JSON Schema of the format then refuses,
`baton` must refuse too. (The schema knows less than the format, so nothing follows from what it accepts.)

Runs the program named by BATON_BINARY. The corpus is found by BATON_CORPUS, else beside the workspace; without it only
the cases written here are compared.
"""

import copy
import hashlib
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema
import rfc8785
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

WORKSPACE = pathlib.Path(__file__).resolve().parents[2]
CORPUS = pathlib.Path(os.environ.get("BATON_CORPUS", WORKSPACE.parent / "shared" / "corpus"))
SEED = 20260728
GENERATED = 400
MUTATIONS_PER_FILE = 30

INTEGER = re.compile(r"[-+]?[0-9]+")
OCTAL = re.compile(r"0o[0-7]+")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def resolve(text):
    """A plain scalar without a tag, as the core schema reads it."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text[0] in "tT"
    if INTEGER.fullmatch(text):
        return number(int(text))
    if OCTAL.fullmatch(text):
        return number(int(text[2:], 8))
    if HEXADECIMAL.fullmatch(text):
        return number(int(text[2:], 16))
    if FLOAT.fullmatch(text):
        return number(float(text))
    return text


def number(value):
    """An integer beyond 2^53 that a double holds exactly is given to rfc8785 as that double."""
    if isinstance(value, int) and abs(value) >= 2**53:
        assert int(float(value)) == value, f"{value} would be rounded"
        return float(value)
    return value


def construct(node):
    if isinstance(node, MappingNode):
        return {construct(key): construct(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [construct(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    tag = str(node.ctag).removeprefix("tag:yaml.org,2002:").removeprefix("!!")
    if node.style is None and isinstance(resolve(node.value), str) or tag == "str":
        return joined(node.value)
    return joined(node.value) if node.style is not None and tag not in ("null", "bool", "int", "float") else resolve(node.value)


def joined(text):
    """ruamel.yaml leaves the two halves of a JSON style surrogate pair apart."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def split(data):
    """Frontmatter and body, on bytes."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    fence = re.compile(rb"^---[ \t]*\r?(\n|\Z)", re.MULTILINE)
    first = fence.match(data)
    second = fence.search(data, first.end())
    return data[first.end() : second.start()], data[second.end() :]


def parsed(data):
    frontmatter, body = split(data)
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    return construct(yaml.compose(io.BytesIO(frontmatter))), body


def content_hash(data):
    frontmatter, body = parsed(data)
    return "sha256:" + hashlib.sha256(rfc8785.dumps(frontmatter) + b"\n" + body).hexdigest()


def checked(files):
    """What `baton` says about each file, in the same order."""
    command = [os.environ["BATON_BINARY"], "process", "check", "--format", "json", *map(str, files)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode not in (0, 1):
        sys.exit(f"baton process check cannot run: {finished.stderr}")
    return json.loads(finished.stdout)


WRITTEN = [
    # Readings on which YAML libraries differ, in frontmatters that need not be good processes.
    "a: yes\nb: no\nc: on\nd: off\ne: y\nf: 0o17\ng: 0xFF\nh: 017\ni: -017\nj: 0b101\nk: 1_000\nl: 12:30:45\n",
    "a: 2026-01-31\nb: 2026-01-31T09:00:00Z\nc: ~\nd: Null\ne:\nf: ''\ng: True\nh: tRUE\n",
    "a: 1.50\nb: 1e3\nc: .5\nd: 5.\ne: +7\nf: -0\ng: 1e21\nh: 1e-7\ni: 0.000001\nj: 9007199254740992\nk: 1E+2\n",
    "a: |\n  one\n   two\n\n  three\nb: |-\n  x\nc: |+\n  x\n\nd: >\n  folded\n  text\n\n  new\n   kept\ne: >-\n  x\n  y\n",
    "a: &x [1, {b: 2}]\nc: *x\nd: &y text\n*y : z\n",
    "\"a\\u00e9\\n\\t\\\"\\\\\\/\\x41\\e\": 'it''s'\n? plain key\n: \"\\ud83d\\ude00 \\U0001F600\"\n",
    "\u20ac: 1\n\r\nb: 2\n\U0001f600: 3\n\ufb33: 4\n'1': 5\n'': 6\n\u00f6: 7\n",
    "a: {b: [c, 'd', \"e\"], f: {}}\ng:\n- h\n-\n  - i\n  -  j: k\n     l: m\n",
    "a: plain over\n  two lines\n\n  and a third\nb: 'quoted over\n\n  two'\nc: \"escaped \\\n   end\"\n",
    "# comment\na: b # comment\nc: 'd#e' # f\ng: h#i\n",
    "!!map {a: !!str 5, b: !!int 0x1F, c: !!float 1, d: !!bool true, e: !!null '', f: !!seq [x]}\n",
    "a: \"\\u0007\\u001f\\u007f\\u0080\\u2028\"\n",
]


def written_files():
    """The cases above, each also with a byte order mark, carriage returns, and an unusual fence and body."""
    for frontmatter in WRITTEN:
        text = f"---\n{frontmatter}---\nBody \u00e9\n"
        yield text.encode()
        yield ("\ufeff" + text).encode()
        yield f"--- \t\n{frontmatter}---".encode()
        if "\r" not in frontmatter:
            yield text.replace("\n", "\r\n").encode()


def generated_files(dice):
    """Random frontmatters as ruamel.yaml writes them, in random styles."""
    for _ in range(GENERATED):
        yaml = YAML(typ="safe", pure=True)
        yaml.version = (1, 2)
        yaml.default_flow_style = dice.choice([True, False, None])
        yaml.allow_unicode = dice.random() < 0.5
        yaml.width = dice.choice([20, 80, 4096])
        out = io.BytesIO()
        yaml.dump({random_text(dice) or "k": random_value(dice, 3) for _ in range(4)}, out)
        frontmatter = re.sub(rb"\A%YAML 1\.2\n---[ \n]|\.\.\.\n\Z", b"", out.getvalue())
        data = b"---\n" + frontmatter + b"---\n" + random_text(dice).encode()
        try:
            content_hash(data)
        except (YAMLError, rfc8785.CanonicalizationError):
            continue  # ruamel.yaml does not read all that it writes, and writes some texts as numbers, also as keys.
        yield data


def random_value(dice, depth):
    kind = dice.randrange(8 if depth else 6)
    if kind == 0:
        return dice.choice([None, True, False])
    if kind == 1:
        return dice.randrange(-(2**53) + 1, 2**53)
    if kind == 2:
        return dice.choice([0.1, -2.5, 1e21, 1e-7, 5e-324, dice.random(), dice.uniform(-1e20, 1e20)])
    if kind < 6:
        return random_text(dice)
    if kind == 6:
        return [random_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    return {random_text(dice) or "k": random_value(dice, depth - 1) for _ in range(dice.randrange(4))}


def random_text(dice):
    if dice.random() < 0.2:
        return dice.choice(["yes", "1_000", "0o14", "12e03", "null", "~", "- x", "a: b", "#", "'", "\"", "<<", "!x", "*x", " x ", "\n"])
    # Without `?`: inside a flow map ruamel.yaml takes every one for the mark of a key, also in `?x`, which is text.
    alphabet = "ab0 -:#,[]{}'\"\\|>&*!%@`\n\u00e9\u20ac\U0001f600\ufb33\t"
    return "".join(dice.choice(alphabet) for _ in range(dice.randrange(12)))


def corpus_files():
    return sorted(path for path in (CORPUS / "process").glob("*/*/PROCESS.md") if path.is_file())


def compare_hashes(folder):
    files = corpus_files()
    for number_of_file, data in enumerate([*written_files(), *generated_files(random.Random(SEED))]):
        path = folder / f"hash-{number_of_file}.md"
        path.write_bytes(data)
        files.append(path)
    wrong = 0
    for path, entry in zip(files, checked(files), strict=True):
        expected = content_hash(path.read_bytes())
        if entry["contentHash"] != expected:
            wrong += 1
            codes = [problem["code"] for problem in entry["problems"]]
            print(f"{path}: baton {entry['contentHash']} {codes}, independent {expected}\n{path.read_bytes()!r}")
    print(f"content hashes: {len(files)} files compared, {wrong} differ")
    return wrong


def mutated(frontmatter, dice):
    """The frontmatter with one random part deleted, renamed or replaced."""
    frontmatter = copy.deepcopy(frontmatter)
    places = list(walk(frontmatter))
    holder, key = dice.choice(places)
    action = dice.randrange(4)
    if action == 0:
        del holder[key]
    elif action == 1 and isinstance(holder, dict):
        holder[key + "x"] = holder.pop(key)
    else:
        holder[key] = dice.choice([None, 5, True, "", [], {}, "text", ["a"], {"a": "b"}, "A B"])
    return frontmatter


def walk(value):
    if isinstance(value, dict):
        for key in value:
            yield value, key
            yield from walk(value[key])
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index
            yield from walk(item)


def compare_refusals(folder):
    """Corpus files are accepted by both; what the public schema refuses, baton refuses."""
    schema = json.loads((CORPUS / "process/schemas/core-2/process-document.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    dice = random.Random(SEED)
    files, refused = [], []
    for path in corpus_files():
        original, body = parsed(path.read_bytes())
        files.append(path)
        refused.append(not validator.is_valid(original))
        for number_of_mutation in range(MUTATIONS_PER_FILE):
            frontmatter = mutated(original, dice)
            changed = folder / f"{path.parent.name}-{number_of_mutation}.md"
            changed.write_bytes(b"---\n" + json.dumps(frontmatter).encode() + b"\n---\n" + body)
            files.append(changed)
            refused.append(not validator.is_valid(frontmatter))
    wrong = 0
    for path, must_refuse, entry in zip(files, refused, checked(files), strict=True):
        is_original = path.is_relative_to(CORPUS)
        if (must_refuse and entry["ok"]) or (is_original and not entry["ok"]):
            wrong += 1
            print(f"{path}: the schema says {'no' if must_refuse else 'yes'}, baton {entry}\n{path.read_text()[:2000]}")
    print(f"refusals: {len(files)} files compared, {sum(refused)} refused by the schema, {wrong} differ")
    return wrong


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong = compare_hashes(folder)
        if corpus_files():
            wrong += compare_refusals(folder)
        else:
            print(f"no corpus at {CORPUS}: its files are not compared")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
