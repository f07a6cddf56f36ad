"""Where uploaded files are, and their end."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from inquery.catalog.stored import forget_catalog
from inquery.databases.executor.execute import detach
from inquery.errors import QuotaExceeded, Text
from inquery.settings import Settings
from inquery.store import Connection, Connections, Store
from inquery.store.dictionary_rows import Dictionaries
from inquery.store.glossaries import Glossaries
from inquery.store.grants import Grants
from inquery.store.thumb_rows import ThumbRows

AGAIN_S = 60


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


def new_folder(settings: Settings, user_id: str) -> Path:
    """Where a file of a user goes; the name of the folder says whose it is, and tells nobody who that is."""
    return own_folder(settings) / f"{_mark(user_id)}-{secrets.token_hex(16)}"


def room_for(settings: Settings, user_id: str) -> int:
    """The bytes that one more file of a user may have; raises QuotaExceeded."""
    server, folders = settings.server, list(folders_of(settings, user_id))
    if server.user_uploads and len(folders) >= server.user_uploads:
        raise _exceeded(f"{server.user_uploads} data files", f"{server.user_uploads} 个数据文件")
    if not server.user_upload_bytes:
        return server.upload_bytes
    left = server.user_upload_bytes - sum(_size(file) for folder in folders for file in folder.iterdir())
    if left <= 0:
        raise _exceeded(
            f"{server.user_upload_bytes} bytes of data files", f"数据文件共 {server.user_upload_bytes} 字节"
        )
    return min(server.upload_bytes, left)


def folders_of(settings: Settings, user_id: str) -> Iterator[Path]:
    """The folders of a user's files."""
    return own_folder(settings).glob(f"{_mark(user_id)}-*")


def _mark(user_id: str) -> str:
    return hashlib.sha256(user_id.encode()).hexdigest()[:16]


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # removed meanwhile
        return 0


def _exceeded(en: str, zh: str) -> QuotaExceeded:
    return QuotaExceeded(en, what=Text(en, zh), seconds=AGAIN_S)


def remove_file(settings: Settings, path: str) -> None:
    """Delete an uploaded file; any other is left alone."""
    folder = Path(path).parent
    if folder.parent == own_folder(settings):
        shutil.rmtree(folder, ignore_errors=True)


def forget_uploads(settings: Settings, store: Store, user_id: str) -> list[str]:
    """Remove the databases of a user's files that nobody else was granted; gives their ids."""
    folders, gone = set(folders_of(settings, user_id)), []
    for connection in Connections(store).list():
        if Path(connection.address.database).parent not in folders or Grants(store).list(connection.id):
            continue
        remove_connection(settings, store, connection)
        gone.append(connection.id)
    return gone


def remove_connection(settings: Settings, store: Store, connection: Connection) -> None:
    """Forget a database with its catalogue, glossary and grants, and its file where it was uploaded."""
    Connections(store).remove(connection.id)
    detach(connection.id)
    forget_catalog(connection.id, home=settings.home)
    Glossaries(store).remove(connection.id)
    Dictionaries(store).remove(connection.id)
    Grants(store).remove_connection(connection.id)
    ThumbRows(store).remove_connection(connection.id)
    remove_file(settings, connection.address.database)
