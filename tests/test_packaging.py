"""Rule files and schema are found from a wheel, a source archive, an editable install and a bare checkout alike.

Builds packages and downloads the dependencies, so it does not belong to the ordinary suite: pytest -m long tests/test_packaging.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.games import ROOT, VARIANTS

pytestmark = pytest.mark.long


def run(*words: str | Path, cwd: Path, path: str = "") -> str:
    """What a command prints; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project's own files, with a game in a folder of the library."""
    copy = tmp_path_factory.mktemp("checkout") / "project"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "*.egg-info", "build", "dist")
    )
    (copy / "variants" / "others").mkdir(exist_ok=True)
    shutil.copy(ROOT / "docs" / "ladder.yaml", copy / "variants" / "others")
    return copy


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has what the project depends on, and what builds it, but not the project."""
    place = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", place, cwd=place)
    found = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needs = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    run(found, "-m", "pip", "install", "-q", *needs, cwd=place)
    return found


def install(python: Path, what: Path, target: Path) -> None:
    """Install a package into a folder of its own."""
    run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", target, what, cwd=target.parent)


def assert_works(python: Path, *command: str | Path, cwd: Path, path: str = "") -> None:
    """The command lists every rule file, and deals from one, also of a folder of the library."""
    listed = run(python, *command, "list", cwd=cwd, path=path)
    assert [name for name in (*VARIANTS, "ladder") if f"{name}:" not in listed] == []
    run(python, *command, "check", "simple", "ladder", cwd=cwd, path=path)


MODULE = ("-c", "import sys; sys.argv[0] = 'durak'; from durak_dsl.cli import main; main()")


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_an_installed_package_works(kind: str, python: Path, checkout: Path, tmp_path: Path) -> None:
    run(python, "-m", "hatchling", "build", "-t", kind, "-d", tmp_path / "dist", cwd=checkout)
    (built,) = (tmp_path / "dist").iterdir()
    install(python, built, tmp_path / "installed")
    assert_works(python, *MODULE, cwd=tmp_path, path=str(tmp_path / "installed"))


def test_a_source_archive_holds_the_tests(python: Path, checkout: Path, tmp_path: Path) -> None:
    run(python, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=checkout)
    (built,) = tmp_path.iterdir()
    names = run(python, "-m", "tarfile", "-l", built, cwd=tmp_path)
    for part in (
        "tests/test_packaging.py",
        "variants/simple.yaml",
        "variants/others/ladder.yaml",
        "schema/rules.schema.json",
        "README.md",
        "LICENSE",
    ):
        assert part in names


def test_a_bare_checkout_works(python: Path, checkout: Path, tmp_path: Path) -> None:
    assert_works(python, checkout / "cli.py", cwd=tmp_path)


def test_an_editable_install_works(python: Path, checkout: Path, tmp_path: Path) -> None:
    run(python, "-m", "pip", "install", "-q", "--no-deps", "-e", checkout, cwd=tmp_path)
    try:
        assert_works(python, *MODULE, cwd=tmp_path)
        assert "simple:" in run(python.parent / "durak", "list", cwd=tmp_path)
    finally:
        run(python, "-m", "pip", "uninstall", "-q", "-y", "durak-dsl", cwd=tmp_path)
