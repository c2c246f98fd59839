"""Writes NAME.txt for each NAME.in in this folder: each package that `pip` installs for it, with the SHA-256 of each wheel for Linux.

Usage: python3 lock.py UV, with the path of the program `uv`. `cargo xtask packages --lock` does it.
"""

import pathlib
import subprocess
import sys
import tempfile
import tomllib

MINORS = range(11, 15)
MACHINES = ("x86_64", "aarch64")
ALWAYS = "python_full_version >= '3.11'"


def is_for(name, minor, machine):
    """Whether CPython 3.MINOR on a Linux of this machine, with glibc, installs the wheel of this file name."""
    python, abi, platforms = name.removesuffix(".whl").split("-")[-3:]
    fits = platforms == "any" or any(
        one.startswith(("manylinux", "linux")) and one.endswith(machine) for one in platforms.split(".")
    )
    if abi == "abi3":
        return fits and int(python.removeprefix("cp3")) <= minor
    return fits and (abi == "none" and "py3" in python.split(".") or abi == f"cp3{minor}")


def entry(package):
    """The lines of a package, or None if it has no wheel for Linux."""
    name = f"{package['name']}=={package['version']}"
    files = [(wheel["url"].rsplit("/", 1)[1], wheel["hashes"]["sha256"]) for wheel in package["wheels"]]
    wanted = {}
    for minor in MINORS:
        for machine in MACHINES:
            fitting = {digest: file for file, digest in files if is_for(file, minor, machine)}
            if not fitting and package.get("marker", "").find("win32'") < 0:
                print(f"{name}: no wheel for CPython 3.{minor} on {machine}")
            wanted |= fitting
    if not wanted:
        return None
    marker = package.get("marker", ALWAYS).removeprefix(ALWAYS).removeprefix(" and ")
    marker = f" ; {marker}" if marker else ""
    return " \\\n".join([name + marker, *(f"    --hash=sha256:{digest}" for digest in sorted(wanted))])


def lock(uv, wanted):
    """Resolves what one file names and writes the result next to it."""
    with tempfile.TemporaryDirectory() as folder:
        resolved = pathlib.Path(folder) / "pylock.toml"
        words = ["--quiet", "--universal", "--python-version", "3.11", "--only-binary", ":all:"]
        subprocess.run([uv, "pip", "compile", *words, "--output-file", resolved, wanted], check=True)
        packages = tomllib.loads(resolved.read_text())["packages"]
    entries = [lines for package in packages if (lines := entry(package))]
    wanted.with_suffix(".txt").write_text("\n".join(entries) + "\n")


for wanted in sorted(pathlib.Path(__file__).parent.glob("*.in")):
    lock(sys.argv[1], wanted)
