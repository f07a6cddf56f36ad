"""Where uploaded files are, and their end."""

from __future__ import annotations

import shutil
from pathlib import Path

from inquery.settings import Settings


def own_folder(settings: Settings) -> Path:
    """The folder of uploaded files; each has a folder of its own in it."""
    return settings.home.absolute() / "files"


def with_own_folder(settings: Settings) -> Settings:
    """Settings whose list of folders, where there is one, has the uploaded files' too."""
    database = settings.database
    if not database.allowed_folders:
        return settings
    folders = [*database.allowed_folders, str(own_folder(settings))]
    return settings.model_copy(update={"database": database.model_copy(update={"allowed_folders": folders})})


def remove_file(settings: Settings, path: str) -> None:
    """Delete an uploaded file; any other is left alone."""
    folder = Path(path).parent
    if folder.parent == own_folder(settings):
        shutil.rmtree(folder, ignore_errors=True)
