"""Inquery's own files: they hold values, results and keys, so others of the machine can read none of them, ever.

A file is made with its mode (0600, in folders of 0700) and not given it later, whatever the umask is. Homes that an
earlier version left open are closed when they are opened.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

FOLDER, FILE, ANY = 0o700, 0o600, 0o666
PREFIXES = "prefixes"
"""Schemas as the embedded model has read them: names and samples of any connection."""
NAMES = ("catalogs", "demo", "files", "pictures", PREFIXES, "secret.key", "inquery.yaml")
"""What lies in a home besides SQLite files; of a folder that is not Inquery's alone, nothing else is closed."""
_closed: set[Path] = set()


def make_folder(folder: Path) -> Path:
    """A folder, made with all that is missing above it; what is there stays as it is."""
    for each in reversed((folder, *folder.parents)):
        with suppress(FileExistsError):
            if not each.is_dir():
                each.mkdir(mode=FOLDER)
    return folder


def make_file(path: Path) -> Path:
    """A file for a library that would make it readable by all, such as SQLite, whose side files take its mode."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE))
    return path


def new_file(path: Path, *, private: bool = True) -> BinaryIO:
    """A file that was not there, open to be written; one that is not `private` has the mode that the umask gives."""
    if private:
        make_folder(path.parent)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE if private else ANY), "wb")


def part_of(path: Path) -> Path:
    """A name beside a file, under which it is written before it takes its place."""
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")


def write_file(path: Path, content: bytes, *, private: bool = True) -> Path:
    """Write a file in one step: nobody reads half of it."""
    part = part_of(path)
    try:
        with new_file(part, private=private) as file:
            file.write(content)
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError, NotADirectoryError):
            part.unlink()
    return path


def close_home(home: Path) -> None:
    """Take from others what they may do in a home that is open to them; looked at once a process.

    A home that others cannot enter has nothing to close, so the folders below are walked through only the first time.
    """
    home = home.absolute()
    if os.name != "posix" or home in _closed:
        return
    _closed.add(home)
    with suppress(FileNotFoundError):
        if not home.stat().st_mode & 0o077:
            return
        if _is_shared(home):
            for each in (*(home / name for name in NAMES), *home.glob("*.sqlite*")):
                _close_all(each)
        else:
            _close_all(home)


def _is_shared(home: Path) -> bool:
    """Whether a folder is there for other things too: closing /tmp or a person's own folder would break them."""
    try:
        own = Path.home()
    except RuntimeError:  # a container's user may have none
        own = Path("/")
    return bool(home.stat().st_mode & stat.S_ISVTX) or home == own or home in own.parents


def _close_all(path: Path) -> None:
    """What is below a folder first, the folder last: cut short, it is done again."""
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            for each in os.scandir(path):
                _close_all(Path(each.path))
        _close(path)


def _close(path: Path) -> None:
    found = path.lstat()
    if found.st_mode & 0o077 and found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode):
        # A disk that takes no change, or knows no modes, is told when something is written, if it matters.
        with suppress(OSError):
            path.chmod(stat.S_IMODE(found.st_mode) & ~0o077)
