"""A private Redis that tests may stop and start again."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import find_binary, free_port, launch, owned_folder, stop, wait_for_port


@dataclass
class RedisServer:
    """A Redis on a free port; nothing of it is kept on disk."""

    binary: str
    folder: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        log = self.folder / "log"
        command = [self.binary, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = launch(command, self.folder, log)
        wait_for_port(self.port, self.process, log)

    def stop(self) -> None:
        if self.process is not None:
            stop(self.process, signal.SIGTERM)
            self.process = None


@contextlib.contextmanager
def redis_server() -> Iterator[RedisServer]:
    binary = find_binary("redis-server", "/usr/bin/redis-server", "/usr/local/bin/redis-server")
    with owned_folder("iq-redis-") as folder:
        server = RedisServer(binary, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
