echo found >&2
exit 2
