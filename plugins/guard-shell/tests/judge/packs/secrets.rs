//! Keys and tokens that end up on the screen, in a log, or in the conversation.
