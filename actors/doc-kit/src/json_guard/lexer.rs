//! One pass over the text with an explicit stack.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{GuardKind, GuardProblem, Limits, RESERVED_PREFIX};
use crate::path::push_key;

pub(super) fn check(text: &str, limits: &Limits) -> Result<(), GuardProblem> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        limits,
        stack: Vec::new(),
        keys: Vec::new(),
        content: None,
    };
    lexer.document().map_err(|(kind, offset)| GuardProblem {
        kind,
        offset,
        path: None,
    })?;
    lexer.content.map_or(Ok(()), Err)
}

/// The text is no JSON, or nested too deep: the kind and the byte offset.
type Broken = (GuardKind, usize);

enum Frame {
    /// An object; its keys are those of the arena from this index on.
    Object { keys_from: usize },
    /// An array at this index.
    Array { index: usize },
}

struct Key<'a> {
    text: Cow<'a, str>,
    offset: usize,
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    limits: &'a Limits,
    stack: Vec<Frame>,
    /// The keys of all open objects, one behind the other.
    keys: Vec<Key<'a>>,
    /// The first problem of content.
    content: Option<GuardProblem>,
}

/// What may come next.
enum Expect {
    Value,
    KeyOrEnd,
    Key,
    ValueOrEnd,
    CommaOrEnd,
}

impl<'a> Lexer<'a> {
    fn document(&mut self) -> Result<(), Broken> {
        self.skip_space();
        if self.peek() == Some(b'[') {
            self.offence(GuardKind::Batch, self.at);
        }
        let mut expect = Expect::Value;
        loop {
            self.skip_space();
            expect = match (expect, self.peek()) {
                (Expect::KeyOrEnd, Some(b'}')) | (Expect::ValueOrEnd, Some(b']')) => self.close(),
                (Expect::KeyOrEnd | Expect::Key, Some(b'"')) => self.key()?,
                (Expect::Value | Expect::ValueOrEnd, Some(byte)) => self.value(byte)?,
                (Expect::CommaOrEnd, Some(byte)) => self.comma_or_end(byte)?,
                _ => return Err(self.syntax()),
            };
            if self.stack.is_empty() {
                break;
            }
        }
        self.skip_space();
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.syntax())
        }
    }

    fn value(&mut self, byte: u8) -> Result<Expect, Broken> {
        match byte {
            b'{' => {
                self.open(Frame::Object {
                    keys_from: self.keys.len(),
                })?;
                return Ok(Expect::KeyOrEnd);
            }
            b'[' => {
                self.open(Frame::Array { index: 0 })?;
                return Ok(Expect::ValueOrEnd);
            }
            b'"' => {
                self.string()?;
            }
            b't' => self.word("true")?,
            b'f' => self.word("false")?,
            b'n' => self.word("null")?,
            _ => self.number()?,
        }
        Ok(Expect::CommaOrEnd)
    }

    fn open(&mut self, frame: Frame) -> Result<(), Broken> {
        if self.stack.len() == self.limits.depth_max {
            return Err((GuardKind::TooDeep, self.at));
        }
        self.at += 1;
        self.stack.push(frame);
        Ok(())
    }

    fn close(&mut self) -> Expect {
        self.at += 1;
        if let Some(Frame::Object { keys_from }) = self.stack.pop() {
            self.find_duplicate(keys_from);
            self.keys.truncate(keys_from);
        }
        Expect::CommaOrEnd
    }

    fn comma_or_end(&mut self, byte: u8) -> Result<Expect, Broken> {
        match (self.stack.last_mut(), byte) {
            (Some(Frame::Object { .. }), b'}') | (Some(Frame::Array { .. }), b']') => Ok(self.close()),
            (Some(Frame::Object { .. }), b',') => {
                self.at += 1;
                Ok(Expect::Key)
            }
            (Some(Frame::Array { index }), b',') => {
                *index += 1;
                self.at += 1;
                Ok(Expect::Value)
            }
            _ => Err(self.syntax()),
        }
    }

    fn key(&mut self) -> Result<Expect, Broken> {
        let offset = self.at;
        let placeholder = self.keys.len();
        self.keys.push(Key {
            text: Cow::Borrowed(""),
            offset,
        });
        let clean_before = self.content.is_none();
        let text = self.string()?;
        let reserved = text.starts_with(RESERVED_PREFIX);
        self.keys[placeholder].text = text;
        if reserved {
            self.offence(GuardKind::ReservedKey, offset);
        }
        if clean_before && self.content.is_some() {
            let path = self.path(self.keys.len());
            self.content
                .iter_mut()
                .for_each(|problem| problem.path = Some(path.clone()));
        }
        self.skip_space();
        self.expect(b':')?;
        Ok(Expect::Value)
    }

    /// A string after its escapes are undone. Lone surrogates are noted and become U+FFFD.
    fn string(&mut self) -> Result<Cow<'a, str>, Broken> {
        self.expect(b'"')?;
        let start = self.at;
        let mut unescaped: Option<String> = None;
        let mut plain_from = start;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let rest = &self.text[plain_from..self.at];
                    self.at += 1;
                    return Ok(match unescaped {
                        None => Cow::Borrowed(rest),
                        Some(text) => Cow::Owned(text + rest),
                    });
                }
                Some(b'\\') => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(&self.text[plain_from..self.at]);
                    let character = self.escape()?;
                    unescaped.get_or_insert_default().push(character);
                    plain_from = self.at;
                }
                Some(0..0x20) | None => return Err(self.syntax()),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, Broken> {
        let offset = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape(offset);
            }
            _ => return Err(self.syntax()),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self, offset: usize) -> Result<char, Broken> {
        let first = self.four_hex()?;
        if first == 0 {
            self.offence(GuardKind::NulCharacter, offset);
        }
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let resume = self.at;
            self.at += 2;
            let second = self.four_hex()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = resume; // What follows is an escape of its own.
        }
        Ok(char::from_u32(first).unwrap_or_else(|| {
            self.offence(GuardKind::LoneSurrogate, offset);
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn four_hex(&mut self) -> Result<u32, Broken> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.syntax())?;
            self.at += 1;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<(), Broken> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        let mut exponent = "";
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            let from = self.at;
            self.digits()?;
            exponent = &self.text[from..self.at];
        }
        if self.at - start > self.limits.number_chars_max {
            self.offence(GuardKind::NumberTooLong, start);
        } else if !exponent.is_empty()
            && exponent
                .parse::<u32>()
                .is_ok_and(|value| value <= self.limits.exponent_max)
        {
            // Within the limit.
        } else if !exponent.is_empty() {
            self.offence(GuardKind::ExponentTooLarge, start);
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let count = self.bytes[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.at += count;
        if count == 0 { Err(self.syntax()) } else { Ok(()) }
    }

    fn word(&mut self, word: &str) -> Result<(), Broken> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.syntax())
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.syntax())
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn syntax(&self) -> Broken {
        (GuardKind::Syntax, self.at)
    }

    fn find_duplicate(&mut self, keys_from: usize) {
        if self.content.is_some() {
            return;
        }
        let keys = &mut self.keys[keys_from..];
        keys.sort_by(|one, other| one.text.cmp(&other.text).then(one.offset.cmp(&other.offset)));
        let pairs = keys.windows(2).filter(|pair| pair[0].text == pair[1].text);
        let duplicate = pairs
            .map(|pair| (pair[1].offset, pair[1].text.clone()))
            .min_by_key(|(offset, _)| *offset);
        if let Some((offset, text)) = duplicate {
            let mut path = self.path(keys_from);
            push_key(&mut path, &text);
            self.content = Some(GuardProblem {
                kind: GuardKind::DuplicateKey,
                offset,
                path: Some(path),
            });
        }
    }

    fn offence(&mut self, kind: GuardKind, offset: usize) {
        if self.content.is_none() {
            self.content = Some(GuardProblem {
                kind,
                offset,
                path: Some(self.path(self.keys.len())),
            });
        }
    }

    /// The path of the value that is being read, from the open frames and the keys before `keys_end`.
    fn path(&self, keys_end: usize) -> String {
        let mut path = String::new();
        for (depth, frame) in self.stack.iter().enumerate() {
            match frame {
                Frame::Array { index } => {
                    let _ = write!(path, "[{index}]"); // Writing to a string cannot fail.
                }
                Frame::Object { .. } => {
                    let next_from = self.stack[depth + 1..].iter().find_map(|frame| match frame {
                        Frame::Object { keys_from } => Some(*keys_from),
                        Frame::Array { .. } => None,
                    });
                    let end = next_from.unwrap_or(keys_end);
                    if let Some(key) = end.checked_sub(1).and_then(|last| self.keys.get(last)) {
                        push_key(&mut path, &key.text);
                    }
                }
            }
        }
        path
    }
}
