#!/bin/sh
echo "$FORGE_EVENT $FORGE_TOOL_NAME" > ~/validated
