//! The header of `for ((…;…;…))`.

use brush_parser::Token;

/// Two semicolons in a row are one operator for the tokenizer; in the header of a loop they are two.
pub(super) fn split_semicolons(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|token| operator(token) == ";;") {
        return tokens;
    }
    let mut split = Vec::with_capacity(tokens.len());
    // How many parentheses of a header are open.
    let mut open = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let text = operator(token);
        if text == "(" && (open > 0 || begins_header(&tokens, at)) {
            open += 1;
        } else if text == ")" {
            open = open.saturating_sub(1);
        }
        if text == ";;" && open == 2 {
            let semicolon = Token::Operator(";".to_owned(), token.location().clone());
            split.extend([semicolon.clone(), semicolon]);
        } else {
            split.push(token.clone());
        }
    }
    split
}

/// Returns true if a parenthesis is the first of `for ((`.
fn begins_header(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    matches!(before, Some(Token::Word(word, _)) if word == "for")
        && tokens.get(at + 1).is_some_and(|next| operator(next) == "(")
}

fn operator(token: &Token) -> &str {
    match token {
        Token::Operator(text, _) => text,
        Token::Word(..) => "",
    }
}
