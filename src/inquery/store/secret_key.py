"""The key that encrypts stored secrets: from the settings, else from a file made once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import SecretStr

from inquery.errors import SecretKeyMismatch
from inquery.home import make_folder
from inquery.settings import Settings

KEY_FILE = "secret.key"


class Keyring:
    """Encrypts with the first key and decrypts with any, so that keys can be rotated."""

    def __init__(self, keys: Iterable[str]) -> None:
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError as error:
            raise SecretKeyMismatch.because(
                "a key is 32 bytes in URL-safe base64; several are separated by commas",
                "密钥应为 URL 安全 base64 编码的 32 字节；多个密钥用逗号分隔",
                detail="malformed key",
            ) from error

    @classmethod
    def of(cls, settings: Settings) -> Keyring:
        """The keys of the settings, newest first, else the one in the home folder."""
        given = settings.store.secret_key.get_secret_value()
        keys = [key.strip() for key in given.split(",") if key.strip()]
        return cls(keys or [_file_key(settings.home / KEY_FILE)])

    def encrypt(self, secret: str) -> str:
        """The secret as a token that is safe to store."""
        return self._fernet.encrypt(secret.encode()).decode()

    def decrypt(self, token: str) -> SecretStr:
        """The secret behind a token; raises SecretKeyMismatch when no key fits."""
        try:
            return SecretStr(self._fernet.decrypt(token.encode()).decode())
        except InvalidToken as error:
            raise SecretKeyMismatch.because(
                "it was saved under another key", "它是用另一个密钥保存的", detail="no key fits"
            ) from error


def _file_key(path: Path) -> str:
    """The key in a file only its owner can read; the first of several processes makes it."""
    with suppress(FileNotFoundError):
        return path.read_text("ascii").strip()
    make_folder(path.parent)
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=".key.")  # mkstemp makes it 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(Fernet.generate_key())
        with suppress(FileExistsError):
            os.link(fresh, path)  # unlike a rename, a link never replaces another process's key
    finally:
        os.unlink(fresh)
    return path.read_text("ascii").strip()
