"""Secrets are encrypted under a key that is made once and readable by its owner alone."""

import multiprocessing
import stat
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr

from inquery.errors import SecretKeyMismatch
from inquery.settings import Settings, StoreSettings
from inquery.store.secret_key import Keyring

CANARY = "canary-7f3a-secret"


def settings(home: Path, key: str = "") -> Settings:
    return Settings(home=home, store=StoreSettings(secret_key=SecretStr(key)))


def test_what_is_encrypted_comes_back(tmp_path: Path) -> None:
    ring = Keyring.of(settings(tmp_path))
    token = ring.encrypt(CANARY)
    assert CANARY not in token
    assert ring.decrypt(token).get_secret_value() == CANARY


def test_the_key_file_is_made_once_and_private(tmp_path: Path) -> None:
    token = Keyring.of(settings(tmp_path)).encrypt(CANARY)
    assert Keyring.of(settings(tmp_path)).decrypt(token).get_secret_value() == CANARY
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


def _encrypt(home: Path, out: Path) -> None:
    out.write_text(Keyring.of(settings(home)).encrypt(CANARY))


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    outs = [tmp_path / f"{number}.txt" for number in range(3)]
    workers = [context.Process(target=_encrypt, args=(tmp_path / "home", out)) for out in outs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    ring = Keyring.of(settings(tmp_path / "home"))
    assert [ring.decrypt(out.read_text()).get_secret_value() for out in outs] == [CANARY] * 3


def test_a_new_key_still_reads_what_the_old_one_wrote(tmp_path: Path) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    token = Keyring.of(settings(tmp_path, old)).encrypt(CANARY)
    assert Keyring.of(settings(tmp_path, f"{new},{old}")).decrypt(token).get_secret_value() == CANARY
    with pytest.raises(SecretKeyMismatch) as caught:
        Keyring.of(settings(tmp_path, new)).decrypt(token)
    assert "另一个密钥" in caught.value.public_message("zh")


def test_a_malformed_key_is_told_without_showing_it(tmp_path: Path) -> None:
    with pytest.raises(SecretKeyMismatch) as caught:
        Keyring.of(settings(tmp_path, "hunter2"))
    assert "base64" in caught.value.public_message("en")
    assert "hunter2" not in caught.value.public_message("en")
