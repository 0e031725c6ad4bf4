"""The commands of `durak` from a bare checkout: `python cli.py list`. Nothing needs to be installed but the dependencies."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python is to be told so, and must be able to read it
    sys.exit("durak needs Python 3.11 or later; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

from durak_dsl.cli import main

PACKAGES = {"click": "click", "yaml": "pyyaml", "jsonschema": "jsonschema", "lark": "lark", "platformdirs": "platformdirs"}

if __name__ == "__main__":
    try:
        main()
    except ModuleNotFoundError as error:
        package = PACKAGES.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        sys.exit(f"durak needs the package {package}. This installs all that it needs: {sys.executable} -m pip install -e .")
