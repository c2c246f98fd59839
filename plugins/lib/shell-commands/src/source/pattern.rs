//! Extended patterns: `!(a|b)`, `*.@(o|a)`.
//!
//! The parser reads them only where they are switched on, and then past quotes. Where the text can be
//! read without them it is; otherwise a pattern counts as a `*`, which matches at least as much.

use brush_parser::{SourceSpan, Token};

/// Puts a `*` in the place of every extended pattern that is plain text; gives what stood between the parentheses.
pub(super) fn widen(text: &str, tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    let chars: Vec<char> = text.chars().collect();
    let mut widened: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut contents = Vec::new();
    // Tokens that begin before this position are parts of a pattern.
    let mut end = 0usize;
    for token in tokens {
        let start = token.location().start.index;
        if start < end {
            continue;
        }
        let continues = start == end && end > 0;
        match (widened.last_mut(), &token) {
            (Some(Token::Word(word, span)), Token::Operator(operator, _))
                if operator == "(" && span.end.index == start && opens_pattern(word) =>
            {
                if let Some(close) = closing(&chars, start) {
                    word.pop();
                    word.push('*');
                    contents.push(chars.get(start + 1..close).unwrap_or_default().iter().collect());
                    end = close + 1;
                    *span = ending(span, end);
                    continue;
                }
            }
            // What touches the pattern belongs to the same word.
            (Some(Token::Word(word, span)), Token::Word(more, at)) if continues => {
                word.push_str(more);
                *span = ending(span, at.end.index);
                continue;
            }
            _ => {}
        }
        widened.push(token);
    }
    (widened, contents)
}

/// Returns true if a word ends in an operator that is neither escaped nor the name of a parameter.
fn opens_pattern(word: &str) -> bool {
    let mut last = word.chars().rev();
    last.next().is_some_and(|c| "!?*+@".contains(c)) && !matches!(last.next(), Some('\\' | '$'))
}

/// The parenthesis that closes a pattern, if all between is plain: every shell finds the same one.
fn closing(chars: &[char], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in chars.iter().enumerate().skip(open) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return (at > open + 1).then_some(at),
            ')' => depth -= 1,
            // A pattern may be `..`, which no `*` is.
            '.' if chars.get(at + 1) == Some(&'.') => return None,
            c if c.is_alphanumeric() || "_.-*?+@![]|/,%=:^".contains(*c) => {}
            _ => return None,
        }
    }
    None
}

fn ending(span: &SourceSpan, index: usize) -> SourceSpan {
    let end = brush_parser::SourcePosition { index, ..span.end.as_ref().clone() };
    SourceSpan { start: span.start.clone(), end: end.into() }
}
