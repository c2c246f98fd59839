"""What goes wrong, and what LiteLLM is told of it."""


class Refused(Exception):
    """A hook said no, or hookbox failed. LiteLLM asks an error for these members."""

    status_code = 400
    type = "invalid_request_error"
    param = None

    def __init__(self, message):
        super().__init__(message)
        self.message = message


class Failed(Exception):
    """hookbox gave no answer that could be followed."""


def rejection(message):
    """What LiteLLM makes an answer with status 400 of."""
    try:
        from fastapi import HTTPException
    except ImportError:
        return Refused(message)
    return HTTPException(status_code=400, detail={"error": message})
