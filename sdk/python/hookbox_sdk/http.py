"""Requests to servers, for a hook with rules in the grant `http` that cover them."""

from __future__ import annotations

from dataclasses import dataclass

from hookbox_sdk.world import Err, imports


class Error(Exception):
    """There is no response. `name` says why: "refused", "invalid", "unreachable", "timeout", "limit"; `text` is for people."""

    def __init__(self, name: str, text: str = "") -> None:
        super().__init__(f"{name}: {text}" if text else name)
        self.name = name
        self.text = text


@dataclass(frozen=True)
class Response:
    """What came back, whatever its status. No redirect is followed."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8; what is none becomes the replacement character."""
        return self.body.decode("utf-8", errors="replace")


def get(url: str, headers: dict[str, str] | None = None, timeout: int | None = None) -> Response:
    """`timeout` is in milliseconds."""
    return send("GET", url, headers, b"", timeout)


def post(
    url: str, body: bytes, headers: dict[str, str] | None = None, timeout: int | None = None
) -> Response:
    """`timeout` is in milliseconds."""
    return send("POST", url, headers, body, timeout)


def send(
    method: str,
    url: str,
    headers: dict[str, str] | None = None,
    body: bytes = b"",
    timeout: int | None = None,
) -> Response:
    """Sends it and waits for the whole response."""
    http = imports.http
    listed = [http.Header(name, value) for name, value in (headers or {}).items()]
    try:
        response = http.send(http.Request(method, url, listed, body, timeout))
    except Err as error:
        # `Error_Refused` of the generated types.
        name = type(error.value).__name__.removeprefix("Error_").lower()
        raise Error(name, getattr(error.value, "value", "")) from None
    return Response(
        response.status, [(header.name, header.value) for header in response.headers], bytes(response.body)
    )
