//! Command text to syntax tree, behind checks that keep the parser inside its limits.

mod header;
mod pattern;

use std::borrow::Cow;

use brush_parser::{ParserOptions, SourcePosition, Token, ast::Program, parse_tokens, uncached_tokenize_str};

use crate::word::{Doubt, close_patterns, documents, here_tag, join_lines};

/// The longest command line that is judged, in bytes.
pub(crate) const MAX_BYTES: usize = 64 * 1024;
/// Maximum depth of parentheses: the parser tries both arithmetic and a subshell at each.
const MAX_PARENTHESES: usize = 8;
/// Maximum depth of `{`, `if`, `while` and their like.
const MAX_COMPOUND: usize = 24;
/// Maximum number of substitutions in the subscript of an assignment.
const MAX_SUBSCRIPT_DOLLARS: usize = 4;
/// Maximum number of `((`.
const MAX_EXPRESSIONS: usize = 256;
/// Maximum number of openings of nested constructs that may be pending in the text.
const MAX_PENDING: usize = 48;

/// A command line, parsed.
pub(crate) struct Source {
    /// The parsed program.
    pub(crate) program: Program,
    /// Contents of its extended patterns, which are commands if bash does not read them as patterns.
    pub(crate) patterns: Vec<String>,
}

/// Parses a command line as bash would: with extended patterns only if it is nothing without them.
pub(crate) fn parse(text: &str) -> Result<Source, Doubt> {
    if text.len() > MAX_BYTES {
        return Err(Doubt::TooComplex("the command line is longer than 64 KiB"));
    }
    if text.contains('\0') {
        return Err(Doubt::Unreadable("it contains a NUL character"));
    }
    check_pending(text)?;
    let patterned = close_patterns(text);
    let joined = join_lines(patterned.as_deref().unwrap_or(text))?;
    // Before the tokenizer sees the text: an end tag that is no plain word can make it loop for ever.
    let documents = documents(&joined)?;
    let text = &closed(joined, &documents.unclosed);
    let options = ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() };
    let mut tokens = uncached_tokenize_str(text, &options.tokenizer_options())
        .map_err(|_| Doubt::Unreadable("a quote, a substitution or a here-document is not closed"))?;
    check_nesting(&tokens)?;
    check_words(&tokens)?;
    check_documents(&documents.starts, &tokens)?;
    restore(text, &mut tokens);
    check_arrays(&tokens)?;
    check_arithmetic(text, &tokens)?;
    let tokens = header::split_semicolons(tokens);
    if let Ok(program) = parse_tokens(&tokens, &options) {
        return Ok(Source { program, patterns: Vec::new() });
    }
    let (tokens, patterns) = pattern::widen(text, tokens);
    match parse_tokens(&tokens, &options) {
        Ok(program) if !patterns.is_empty() => Ok(Source { program, patterns }),
        _ => Err(Doubt::Unreadable("it is not a complete bash command")),
    }
}

/// The text with the ends of the here-documents that it leaves open.
fn closed<'a>(text: Cow<'a, str>, unclosed: &[String]) -> Cow<'a, str> {
    if unclosed.is_empty() {
        return text;
    }
    let mut text = text.into_owned();
    for tag in unclosed {
        text.extend((!text.ends_with('\n')).then_some('\n'));
        text.push_str(tag);
    }
    text.push('\n');
    Cow::Owned(text)
}

/// A text with an error: the part that a shell runs before it, and the lines behind.
pub(crate) struct Broken<'a> {
    /// The lines before the one with the error, which run.
    pub(crate) before: &'a str,
    /// The lines behind, which run only if they are typed into a shell.
    pub(crate) behind: &'a str,
}

/// Finds the first redirection without a target: an error in every shell, and the command with it never runs.
pub(crate) fn broken(text: &str) -> Option<Broken<'_>> {
    if text.len() > MAX_BYTES || text.contains(['\0', '\\']) || documents(text).is_err() {
        return None;
    }
    let options = ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() };
    let tokens = uncached_tokenize_str(text, &options.tokenizer_options()).ok()?;
    let mut line = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(Token::to_str);
        match token {
            // What is compared or nested may go on on the next line.
            Token::Operator(operator, _) if operator == "(" => return None,
            Token::Word(word, _) if word == "[[" => return None,
            Token::Operator(operator, span) if operator == "\n" => line = span.end.index,
            Token::Operator(operator, span) if REDIRECTIONS.contains(&operator.as_str()) => {
                if matches!(next, None | Some("\n")) {
                    let byte = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
                    let (before, behind) = (text.get(..byte(line))?, text.get(byte(span.end.index)..)?);
                    return Some(Broken { before, behind });
                }
            }
            _ => {}
        }
    }
    None
}

/// Operators that need a file.
const REDIRECTIONS: &[&str] = &["<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>"];

/// The tokenizer calls itself for each nested substitution.
fn check_pending(text: &str) -> Result<(), Doubt> {
    let mut pending = 0usize;
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '(' | '{' | '[' if previous == '$' => pending += 1,
            ')' | '}' | ']' => pending = pending.saturating_sub(1),
            _ => {}
        }
        if pending > MAX_PENDING {
            return Err(Doubt::TooComplex("substitutions nest too deep"));
        }
        previous = c;
    }
    Ok(())
}

/// The parser calls itself for each nested command.
fn check_nesting(tokens: &[Token]) -> Result<(), Doubt> {
    let (mut parentheses, mut compound) = (0usize, 0usize);
    for token in tokens {
        match token {
            Token::Operator(text, _) => match text.as_str() {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                _ => {}
            },
            Token::Word(text, _) => match text.as_str() {
                "{" | "if" | "while" | "until" | "for" | "case" | "coproc" | "function" => compound += 1,
                "}" | "fi" | "done" | "esac" => compound = compound.saturating_sub(1),
                _ => {}
            },
        }
        if parentheses > MAX_PARENTHESES || compound > MAX_COMPOUND {
            return Err(Doubt::TooComplex("commands nest too deep"));
        }
    }
    Ok(())
}

/// Words that the parser reads wrongly, slowly, or not without panicking.
fn check_words(tokens: &[Token]) -> Result<(), Doubt> {
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(Token::to_str);
        match token {
            Token::Word(text, _) => {
                let redirected = next.is_some_and(|next| next.starts_with(['<', '>']));
                if redirected && text.len() > 9 && text.chars().all(|c| c.is_ascii_digit()) {
                    return Err(Doubt::Unreadable("a file descriptor is out of range"));
                }
                check_subscript(text)?;
            }
            // `<<`, the tag, the body, the tag again: anything else is a body that belongs elsewhere.
            Token::Operator(text, _) if text == "<<" || text == "<<-" => {
                let tag = next.and_then(here_tag);
                let close = tokens.get(at + 3).map(|token| token.to_str().trim_end_matches('\n'));
                if tag.is_none() || close.and_then(here_tag) != tag {
                    return Err(Doubt::Unreadable("the end tag of a here-document is not plain"));
                }
            }
            Token::Operator(..) => {}
        }
    }
    Ok(())
}

/// The tokenizer finds here-documents inside `${…}` and in some expressions, where there are none; what
/// it takes for their bodies are commands. Both readings must find the same ones.
fn check_documents(own: &[usize], tokens: &[Token]) -> Result<(), Doubt> {
    let theirs = tokens.iter().filter_map(|token| match token {
        Token::Operator(operator, at) if operator == "<<" || operator == "<<-" => Some(at.end.index),
        _ => None,
    });
    if own.iter().copied().eq(theirs) {
        return Ok(());
    }
    Err(Doubt::Unreadable("a `<<` may or may not begin a here-document"))
}

/// The tokenizer puts nested substitutions together again from their tokens, without comments and with
/// here-documents moved. A word is what the text says between its ends. Behind a here-document's tag, its tokens begin
/// with the blanks in front of them.
fn restore(text: &str, tokens: &mut [Token]) {
    let chars: Vec<char> = text.chars().collect();
    let is_blank = |at: usize| matches!(chars.get(at), Some(' ' | '\t'));
    let mut body = 0usize;
    for token in tokens {
        if body > 0 && matches!(token, Token::Word(..)) {
            // The tag, the body and the tag again.
            body -= 1;
            continue;
        }
        let (Token::Operator(_, span) | Token::Word(_, span)) = &mut *token;
        let (first, end) = (span.start.index, span.end.index);
        let start = (first..end).find(|at| !is_blank(*at)).unwrap_or(first);
        if start > first {
            span.start = SourcePosition { index: start, ..span.start.as_ref().clone() }.into();
        }
        match token {
            Token::Operator(operator, _) if operator == "<<" || operator == "<<-" => body = 3,
            Token::Word(word, _) if word.contains(['$', '`']) => {
                if let Some(exact) = chars.get(start..end) {
                    *word = exact.iter().collect();
                }
            }
            _ => {}
        }
    }
}

/// `name=(…)text` is one word for the shell; for the parser it is two.
fn check_arrays(tokens: &[Token]) -> Result<(), Doubt> {
    let touches = |left: &Token, right: &Token| left.location().end.index == right.location().start.index;
    let mut in_array = false;
    for pair in tokens.windows(2) {
        let [left, right] = pair else { continue };
        in_array |= left.to_str().ends_with('=') && right.to_str() == "(" && touches(left, right);
        if in_array && left.to_str() == ")" {
            in_array = false;
            if matches!(right, Token::Word(..)) && touches(left, right) {
                return Err(Doubt::Unreadable("text behind the list of an array"));
            }
        }
    }
    Ok(())
}

/// `name[…` is one word for the shell up to its `]`, whatever stands between; for the parser it is not.
fn check_subscript(word: &str) -> Result<(), Doubt> {
    let name = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let Some(subscript) = name.strip_prefix('[').filter(|_| name.len() < word.len()) else {
        return Ok(());
    };
    if !subscript.contains(']') {
        return Err(Doubt::Unreadable("a subscript is not closed"));
    }
    if subscript.matches(['$', '`', '(', '{']).count() > MAX_SUBSCRIPT_DOLLARS {
        return Err(Doubt::TooComplex("a subscript nests too deep"));
    }
    Ok(())
}

/// Checks for a `#` inside `((…))`, which does not begin a comment there: the tokenizer takes it for one and drops the
/// rest of the line.
fn check_arithmetic(text: &str, tokens: &[Token]) -> Result<(), Doubt> {
    let chars: Vec<char> = text.chars().collect();
    let mut pairs = 0usize;
    for pair in tokens.windows(2) {
        let [Token::Operator(first, from), Token::Operator(second, _)] = pair else { continue };
        if first != "(" || second != "(" {
            continue;
        }
        pairs += 1;
        if pairs > MAX_EXPRESSIONS {
            return Err(Doubt::TooComplex("it has more than 256 double parentheses"));
        }
        let inside = chars.get(from.start.index..).unwrap_or_default();
        let end = inside.windows(2).position(|pair| pair == [')', ')']).unwrap_or(inside.len());
        let comment = |pair: &[char]| matches!(pair, [' ' | '\t' | '\n' | '(' | ')' | ';' | '&' | '|', '#']);
        if inside.iter().take(end).copied().collect::<Vec<_>>().windows(2).any(comment) {
            return Err(Doubt::Unreadable("a `#` between double parentheses"));
        }
    }
    Ok(())
}
