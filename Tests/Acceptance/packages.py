# SPDX-License-Identifier: Apache-2.0
"""Packages of PyPI that acceptance programs use: installed once, each set in a folder of its own under .build."""
import os, pathlib, subprocess, sys, venv

from server import ROOT


def installed(name, packages):
    """The folder of the programs of .build/NAME, which has these packages; None if pip cannot install them."""
    folder = ROOT / ".build" / name
    # Written at the end: an interrupted installation begins again.
    mark = folder / "installed"
    if not mark.exists() or mark.read_text() != " ".join(packages):
        venv.create(folder, with_pip=True, clear=True)
        if subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]).returncode:
            return None
        mark.write_text(" ".join(packages))
    return folder / "bin"


def enter(name, packages):
    """Runs the program again where the packages are, if it does not run there. Returns false if they cannot be installed."""
    if pathlib.Path(sys.prefix) == ROOT / ".build" / name:
        return True
    if programs := installed(name, packages):
        os.execv(programs / "python", [str(programs / "python"), *sys.argv])
    return False
