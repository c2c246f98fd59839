import json
import sys

context = json.load(sys.stdin)
if "sudo" in context["tool_input"]["command"]:
    print(json.dumps({"Reject": {"reason": "no sudo"}}))
else:
    print(json.dumps("Continue"))
