"""Pictures of charts as files of INQUERY_HOME: their names cannot be guessed, and they do not stay for ever."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

from inquery.errors import NotFound, Text
from inquery.home import new_file

FOLDER = "pictures"
TYPES = {"png": "image/png", "svg": "image/svg+xml"}
_NAME = re.compile(r"[A-Za-z0-9_-]{32}\.(png|svg)")


class Pictures:
    """The pictures of a folder."""

    def __init__(self, home: Path, days: float) -> None:
        self.folder = home / FOLDER
        self.days = days

    def save(self, picture: bytes, kind: str = "png") -> str:
        """Keep a picture and return its name; what is too old goes on the way."""
        self.clear()
        name = f"{secrets.token_urlsafe(24)}.{kind}"
        with new_file(self.folder / name) as file:
            file.write(picture)
        return name

    def load(self, name: str) -> tuple[bytes, str]:
        """A picture and its media type; raises NotFound."""
        try:
            if _NAME.fullmatch(name):
                return (self.folder / name).read_bytes(), TYPES[name.rpartition(".")[2]]
        except FileNotFoundError:
            pass
        raise NotFound(name, what=Text("picture", "图片"), name=name[:100])

    def clear(self) -> int:
        """Remove what is older than its days; returns how many."""
        oldest = time.time() - self.days * 86400
        gone = 0
        for file in self.folder.glob("*.*"):
            if file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)
                gone += 1
        return gone
