"""Errors with a code for programs."""


class Error(Exception):
    """What the caller did wrong, or hookbox. Hooks that fail raise nothing: their policy decides."""

    def __init__(self, code, message):
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self):
        return f"{self.code}: {self.message}"
