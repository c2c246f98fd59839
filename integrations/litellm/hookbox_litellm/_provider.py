"""Who runs a model, behind the name that the proxy gives it."""

import sys


def provider_of(data):
    """What is known of it before a deployment is chosen: the provider that all deployments of the name have in common."""
    model = data.get("model") if isinstance(data, dict) else None
    router = getattr(sys.modules.get("litellm.proxy.proxy_server"), "llm_router", None)
    if not isinstance(model, str) or router is None:
        return {}
    try:
        providers = {provider(deployment) for deployment in router.get_model_list(model_name=model) or []}
    except Exception:
        return {}
    return {"provider": providers.pop()} if len(providers) == 1 else {}


def provider(deployment):
    from litellm import get_llm_provider

    parameters = deployment["litellm_params"]
    return get_llm_provider(model=parameters["model"], custom_llm_provider=parameters.get("custom_llm_provider"))[1]
