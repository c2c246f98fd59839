"""Answers of hooks: dicts, in the form in which every hook answers that has none of its own. Put together with `|`."""


def deny(code, reason):
    """No. `code` is for machines (`no-shell`), `reason` for people and the model."""
    return {"verdict": "deny", "code": code, "reason": reason}


def ask(code, reason):
    """Only if the person says so."""
    return {"verdict": "ask", "code": code, "reason": reason}


def allow(code="allowed", reason=""):
    """Yes. It may skip a prompt."""
    return {"verdict": "allow", "code": code, "reason": reason}


def rewrite(value, *, merge=False):
    """Something else instead; with `merge` a merge patch (RFC 7396) for it. Only the role `transform` may."""
    return {"rewrite": {"merge" if merge else "replace": value}}


def context(text):
    """Text for the model."""
    return {"context": text}


def notice(text):
    """Text for the person."""
    return {"notice": text}


def stop(reason):
    """End the agent's run."""
    return {"stop": reason}
