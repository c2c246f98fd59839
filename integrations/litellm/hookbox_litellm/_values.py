"""Values of LiteLLM as JSON has them, and what an answer changes of them."""

import enum
import json
import math

# hookbox reads JSON that is at most 100 deep; what is deeper here is sent as text.
MAX_DEPTH = 60
# What LiteLLM keeps in a request and is not of it: the request as it came, once more, and all settings of the deployment.
BESIDE = frozenset({"secret_fields", "proxy_server_request", "deployment"})
# Keys, by the names that LiteLLM has for them where it keeps settings of a call: no hook's business, whoever it sends them to.
KEYS = BESIDE | {
    "api_key", "headers", "extra_headers", "raw_headers", "incoming_bearer_token", "mcp_auth_header", "mcp_server_auth_headers",
    "oauth2_headers", "azure_ad_token", "azure_ad_token_provider", "azure_username", "azure_password", "client_id", "client_secret",
    "tenant_id", "aws_access_key_id", "aws_secret_access_key", "aws_session_token", "aws_bearer_token_bedrock", "aws_profile_name",
    "aws_role_name", "aws_web_identity_token", "vertex_credentials", "hf_token", "token", "password", "oci_key", "oci_key_file",
    "gigachat_credentials", "watsonx_token", "zen_api_key", "user_api_key_auth",
}  # fmt: skip
# What is told of a deployment's settings, and of what LiteLLM keeps beside a call's; nobody knows what else is a key.
PARAMETERS = (
    "model", "custom_llm_provider", "api_base", "api_version", "region_name", "metadata", "model_info", "litellm_call_id",
    "litellm_trace_id", "tags", "rpm", "tpm", "weight", "order", "max_tokens", "temperature", "stream",
)  # fmt: skip
ARGUMENTS = ("api_base", "complete_input_dict")
# What most values are is looked for first: a stream has hundreds of chunks with dozens of values each.
AS_THEY_ARE = frozenset({type(None), bool, int})

_encode = json.JSONEncoder(separators=(",", ":")).encode
try:
    # LiteLLM's proxy has it.
    from orjson import dumps as _quickly
except ImportError:
    _quickly = None


def encoded(value):
    """The JSON text of what `plain` has made."""
    if _quickly is not None:
        try:
            return _quickly(value)
        except TypeError:
            # A number of more than 64 bits.
            pass
    try:
        return _encode(value).encode()
    except ValueError:
        # Python refuses to write a number of thousands of digits.
        return _encode(without_long_numbers(value)).encode()


def without_long_numbers(value):
    """With such a number told as text."""
    if isinstance(value, dict):
        return {name: without_long_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [without_long_numbers(item) for item in value]
    return said(value) if type(value) is int and value.bit_length() > 10_000 else value


def request(data, known):
    """A request as JSON has it, without what LiteLLM keeps beside it."""
    return plain(itself(data), known=known)


def itself(data):
    """A call's arguments without what LiteLLM keeps beside them, and without keys. Only where LiteLLM puts these: what the caller wrote,
    such as a tool's arguments, is told whatever its names are."""
    if not isinstance(data, dict):
        return data
    return {name: PARTS.get(name, same)(value) for name, value in list(data.items()) if name not in KEYS}


def deployments(value):
    """Deployments without their keys."""
    return [itself(one) for one in value] if isinstance(value, (list, tuple)) else value


def only(names):
    return lambda value: {name: PARTS.get(name, same)(value[name]) for name in names if name in value} if isinstance(value, dict) else value


def same(value):
    return value


PARTS = {
    "metadata": itself,
    "litellm_metadata": itself,
    "litellm_params": only(PARAMETERS),
    "additional_args": only(ARGUMENTS),
    "request_kwargs": itself,
    "kwargs": itself,
    "request_data": itself,
    "deployments": deployments,
    "healthy_deployments": deployments,
}


def plain(value, depth=0, known=None):
    """As JSON has it; what is not JSON as text. It never fails: nobody knows what objects a proxy carries around. `known` has what
    became of those that were met, since LiteLLM puts one into many places."""
    kind = type(value)
    if kind is str:
        return text(value)
    if kind in AS_THEY_ARE:
        return value
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, str):
        return text(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth >= MAX_DEPTH:
        return words(value)
    known = {} if known is None else known
    met = known.get(id(value))
    if met is None:
        # Until it is known, in case it is in itself. The value is kept beside it, so that nothing else gets its number.
        known[id(value)] = f"<{kind.__name__}>", value
        met = known[id(value)] = composed(value, depth, known), value
    return met[0]


def composed(value, depth, known):
    """Of objects, lists and models; of others as text."""
    if isinstance(value, dict):
        # At once: another thread may be writing into it.
        members = names_apart([(said(name), item) for name, item in list(value.items())])
        deeper = depth + 1
        return {name: item if type(item) in AS_THEY_ARE else plain(item, deeper, known) for name, item in members}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1, known) for item in list(value)]
    members = dumped(value)
    return said(value) if members is None else plain(members, depth + 1, known)


def names_apart(members):
    """None is told in another's place, even if their names are the same as text."""
    if len({name for name, _ in members}) == len(members):
        return members
    return [(f"{name} ({number})" if number else name, item) for number, (name, item) in enumerate(members)]


def dumped(value):
    """The members of a model as pydantic has them; `None` if it is no such model."""
    try:
        # Looking for it may run code of the object's.
        dump = getattr(value, "model_dump", None)
        return dump() if callable(dump) else None
    except Exception:
        return None


def words(value):
    """All that is in lists and objects, however deep: who looks for a text finds it."""
    found, left, met = [], [value], {}
    while left:
        one = left.pop()
        if not isinstance(one, (dict, list, tuple)):
            found.append(said(one))
        elif id(one) not in met:
            met[id(one)] = one
            items = [part for member in list(one.items()) for part in member] if isinstance(one, dict) else list(one)
            left.extend(reversed(items))
    return " ".join(found)


def said(value):
    """As text."""
    if type(value) is str:
        return text(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    try:
        return text(str(value))
    except Exception:
        return f"<{type(value).__name__}>"


def text(value):
    """Without halves of characters, which JSON has no words for."""
    return value if value.isascii() else value.encode(errors="replace").decode()


def unless_same(value, changed):
    """LiteLLM takes `None` for "no change"."""
    return None if changed is value else changed


def taken(value, sent, answer, key):
    """`value` with what the answer says of it."""
    return applied(value, sent, answer[key]) if key in answer else value


def applied(value, sent, answered):
    """`value` with what `answered` changes of `sent`; the rest stays the objects that it was."""
    if json.dumps(sent) == json.dumps(answered):
        return value
    if isinstance(value, dict) and isinstance(answered, dict):
        return members(value, sent, answered)
    if isinstance(value, (list, tuple)) and isinstance(answered, list):
        return items(value, sent, answered)
    if dumped(value) is not None and isinstance(answered, dict):
        return rebuilt(value, answered)
    return answered


def members(value, sent, answered):
    """Member by member; what was not sent stays."""
    names = {said(key): key for key in value}
    kept = {key: value[key] for name, key in names.items() if name not in sent}
    changed = {
        names.get(name, name): applied(value[names[name]], sent[name], item) if name in sent else item
        for name, item in answered.items()
    }
    return {**kept, **changed}


def items(value, sent, answered):
    """Item by item; of a list that became longer or shorter, those that were there stay what they were."""
    if len(value) == len(answered):
        return [applied(*item) for item in zip(value, sent, answered)]
    old = {}
    for text, item in zip(sent, value):
        old.setdefault(json.dumps(text), []).append(item)
    return [known.pop(0) if (known := old.get(json.dumps(item))) else item for item in answered]


def rebuilt(value, members):
    """A model with these members, and what LiteLLM keeps beside them."""
    model = type(value)(**members)
    hidden = getattr(value, "_hidden_params", None)
    if hidden is not None:
        model._hidden_params = hidden
    return model


def in_place_of(response_obj, message):
    """The result of a tool with `message` for its content. It is changed itself: not every caller looks at what the
    method returns."""
    try:
        from mcp.types import TextContent

        content = [TextContent(type="text", text=message)]
    except ImportError:
        content = [{"type": "text", "text": message}]
    result = response_obj.mcp_tool_call_response
    if hasattr(result, "content"):
        result.content, result.isError, result.structuredContent = content, True, None
    else:
        response_obj.mcp_tool_call_response = content
    return response_obj
