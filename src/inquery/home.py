"""Inquery's own files: they hold values, results and keys, so others of the machine can read none of them, ever.

A file is made with its mode (0600, in folders of 0700) and not given it later, whatever the umask is. Homes that an
earlier version left open are closed when they are opened.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from inquery.errors import HomeUnusable

FOLDER, FILE, ANY = 0o700, 0o600, 0o666
PREFIXES = "prefixes"
"""Schemas as the embedded model has read them: names and samples of any connection."""
NAMES = ("catalogs", "demo", "files", "pictures", PREFIXES, "models.json", "secret.key", "inquery.yaml")
"""What lies in a home besides SQLite files; of a folder that is not Inquery's alone, nothing else is closed."""
DATABASES = ("inquery.sqlite", "threads.sqlite", "memory.sqlite")
"""What cannot be made anew."""
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


_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_FOLDER = frozenset({errno.ENOTDIR, errno.EEXIST, errno.ENOENT, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG})
LEAST_FREE = 8 << 20
"""Bytes that must be free: an answer with its rows, checkpoints and events takes a few megabytes at the most."""


def explain_failure(error: BaseException, name: str = "") -> HomeUnusable | None:
    """Why a file of the home could not be used and what one can do about it; None for what is no fault of the home.

    `name` is the file's own; a path is never told, since a server's clients may read the sentence.
    """
    while (inner := getattr(error, "orig", None)) is not None:  # SQLAlchemy's around SQLite's
        error = inner
    if isinstance(error, sqlite3.Error):
        if is_damaged(error):
            return _damaged(name, error)
        code = _code_of(error)
        if code == sqlite3.SQLITE_FULL:
            return _full(error)
        return _closed_to_us(error) if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN} else None
    if not isinstance(error, OSError):
        return None
    if error.errno in _FULL:
        return _full(error)
    if error.errno in _CLOSED:
        return _closed_to_us(error)
    if error.errno in _NO_FOLDER:
        return HomeUnusable.because(
            "it is no folder, and none can be made there; set INQUERY_HOME to another",
            "它不是文件夹，也无法创建；请将 INQUERY_HOME 设为其他文件夹",
            detail=str(error),
        )
    return None


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether a file is no SQLite file, or one whose pages make no sense."""
    return _code_of(error) in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT} or "malformed" in str(error)


def _code_of(error: sqlite3.Error) -> int:
    # Extended codes have the plain one in their last byte.
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


@contextmanager
def explained(name: str = "") -> Iterator[None]:
    """Around the opening of a file of the home: its failures as sentences that say what to do."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        told = explain_failure(error, name)
        if told is None:
            raise
        raise told from error


def check_writable(home: Path) -> None:
    """Raise HomeUnusable where nothing can be written, or hardly anything any more."""
    with explained():
        probe = part_of(home / "probe")
        try:
            with new_file(probe) as file:
                file.write(b"\0" * 4096)
        finally:
            with suppress(OSError):
                probe.unlink()
        if shutil.disk_usage(home).free < LEAST_FREE:
            raise _full(OSError(errno.ENOSPC, "almost full"))


def marks_of(home: Path) -> dict[str, tuple[int, int]]:
    """Which files the names of Inquery's own databases mean now."""
    found = {}
    for name in DATABASES:
        with suppress(OSError):
            there = (home / name).stat()
            found[name] = (there.st_dev, there.st_ino)
    return found


def check_in_place(home: Path, marks: Mapping[str, tuple[int, int]]) -> None:
    """Raise HomeUnusable where a file that is open is no longer the one of its name: what is written to it will be lost."""
    now = marks_of(home)
    for name, mark in marks.items():
        if now.get(name) != mark:
            raise HomeUnusable.because(
                f"{name} was taken away or replaced while it was in use; put it back, then start the server anew",
                f"{name} 在使用中被移走或替换；请放回原处，然后重新启动服务器",
                detail=name,
            )


def _damaged(name: str, error: BaseException) -> HomeUnusable:
    said = name or "a file"
    return HomeUnusable.because(
        f"{said} is damaged; put it back from a backup, or move it away to begin anew without what it held",
        f"{name or '某个文件'}已损坏；请从备份恢复，或将其移走以重新开始（其中的内容将丢失）",
        detail=str(error),
    )


def _full(error: BaseException) -> HomeUnusable:
    return HomeUnusable.because("the disk is full; make room on it", "磁盘已满；请释放空间", detail=str(error))


def _closed_to_us(error: BaseException) -> HomeUnusable:
    return HomeUnusable.because(
        "it cannot be written; give its owner the right to, or set INQUERY_HOME to another folder",
        "无法写入；请为其所有者授予写权限，或将 INQUERY_HOME 设为其他文件夹",
        detail=str(error),
    )
