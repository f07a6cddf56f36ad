"""Private database servers for tests: started on a free port from installed binaries, stopped at exit."""

import contextlib
import datetime
import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ADMIN_PASSWORD = "admin pass/word@1"
READER_PASSWORD = "read:er%2F?#"
START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """A running private server and its administrator."""

    port: int
    admin: str = "inquery_admin"
    password: str = ADMIN_PASSWORD
    reader: str = "inquery_reader"
    reader_password: str = READER_PASSWORD
    certificate: str = ""


class NoServer(RuntimeError):
    """No binary of the server is installed here."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def find_binary(name: str, *patterns: str) -> str:
    found = shutil.which(name) or next((p for g in patterns for p in sorted(glob.glob(g), reverse=True)), None)
    if found is None:
        raise NoServer(f"{name} is not installed")
    return found


def unprivileged() -> pwd.struct_passwd | None:
    """The account servers run as when this process is root, which they refuse."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "mysql", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise NoServer("no unprivileged account")


@contextlib.contextmanager
def owned_folder(prefix: str) -> Iterator[Path]:
    """A short folder that the server's account owns, outside pytest's 0700 ones."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp" if os.path.isdir("/tmp") else None))
    account = unprivileged()
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed certificate for localhost and its key, readable by the server's account."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "server.crt", folder / "server.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL
    files[1].write_bytes(key.private_bytes(pem, form, plain))
    files[1].chmod(0o600)
    account = unprivileged()
    for file in files:
        if account is not None:
            os.chown(file, account.pw_uid, account.pw_gid)
    return files


def launch(command: list[str], folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    account = unprivileged()
    identity = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    with log.open("ab") as out:
        started: subprocess.Popen[bytes] = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env={**os.environ, "LC_ALL": "C"},
            **identity,  # type: ignore[call-overload]
        )  # fmt: skip
        return started


def finish(command: list[str], folder: Path, log: Path) -> None:
    if launch(command, folder, log).wait(START_SECONDS) != 0:
        raise RuntimeError(f"{command[0]} failed:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def stop(process: "subprocess.Popen[bytes]", signal: int) -> None:
    process.send_signal(signal)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
