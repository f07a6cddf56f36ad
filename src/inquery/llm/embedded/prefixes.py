"""Read prompts on disk: the keys and values of a schema, so that the next process need not read it again.

Reading the schema of the demo is a second of a process that answers one question; its 39 MB are read back in a few
hundredths. A process that stays has them in memory and keeps none here.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inquery.home import write_file

if TYPE_CHECKING:
    from inquery.llm.embedded.runtime import PromptState

KEPT = 4
"""Files of a folder; those used last stay."""
CHECKSUM = 4
"""Bytes at the end of a file: the CRC-32 of its name and its content."""
_current: ContextVar[Prefixes | None] = ContextVar("prefixes", default=None)


class Prefixes:
    """The prefixes of one folder; a file that cannot be read or written is no prefix, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._new: list[tuple[str, tuple[int, ...], PromptState]] = []

    def read(self, state: PromptState, tokens: tuple[int, ...]) -> bool:
        """Put the keys and values of tokens into an empty state; False where they are not kept or not whole."""
        name = name_of(state, tokens)
        path = self.folder / name
        parts = _parts(state, len(tokens))
        checksum = zlib.crc32(name.encode())
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size != sum(part.nbytes for part in parts) + CHECKSUM:
                    return False
                for part in parts:
                    if file.readinto(part.data) != part.nbytes:
                        return False
                    checksum = zlib.crc32(part.data, checksum)
                if file.read() != checksum.to_bytes(CHECKSUM, "big"):
                    return False
            os.utime(path)  # used last
        except OSError:
            return False
        return True

    def add(self, state: PromptState, tokens: tuple[int, ...]) -> None:
        """Keep what a state holds of these tokens, later: whoever waits for an answer is not to wait for a disk."""
        self._new.append((name_of(state, tokens), tokens, state))

    def save(self) -> None:
        """Write what was added; let go of those that were not used for longest."""
        for name, tokens, state in self._new:
            # A state may have been given another prompt meanwhile; then its slots hold that one's.
            if state.tokens[: len(tokens)] == tokens:
                with suppress(OSError):
                    self._write(name, _parts(state, len(tokens)))
        if self._new:
            with suppress(OSError):
                self._clear()
        self._new = []

    def _write(self, name: str, parts: list[np.ndarray[Any, Any]]) -> None:
        checksum = zlib.crc32(name.encode())
        for part in parts:
            checksum = zlib.crc32(part.data, checksum)
        write_file(self.folder / name, b"".join([*(part.data for part in parts), checksum.to_bytes(CHECKSUM, "big")]))

    def _clear(self) -> None:
        """All but the last used go, and with them what a process that was killed left half written."""
        used = {}
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):  # another process clears too
                used[path] = path.stat().st_mtime_ns
        for path in sorted(used, key=lambda each: -used[each])[KEPT:]:
            path.unlink(missing_ok=True)


@contextmanager
def keep_prefixes(folder: Path) -> Iterator[None]:
    """Take read prompts from a folder within, and write those that were not there at the end."""
    prefixes = Prefixes(folder)
    token = _current.set(prefixes)
    try:
        yield
        prefixes.save()
    finally:
        _current.reset(token)


def current_prefixes() -> Prefixes | None:
    """The prefixes of this run; None where none are kept."""
    return _current.get()


def name_of(state: PromptState, tokens: tuple[int, ...]) -> str:
    """A name for all that the keys and values depend on, to the last bit: other processors have other kernels."""
    import onnxruntime

    from inquery.llm.embedded.runtime import PIECE

    layers, *shape, _, size = state.buffer.shape
    computed_by = (state.model.config, onnxruntime.__version__, np.__version__, platform.machine(), _processor(), PIECE)
    layout = (layers, shape, size, str(state.buffer.dtype), sys.byteorder)
    return hashlib.sha256(json.dumps([computed_by, layout, tokens], sort_keys=True).encode()).hexdigest()


def _processor() -> list[str]:
    """What the processor is and can, where the system tells it."""
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as listed:
        # The first core's: a block is some 1,500 characters long.
        lines = listed.read(4096).split("\n\n")[0].splitlines()
        return [line for line in lines if line.startswith(("model name", "flags", "CPU part", "Features"))]
    return []


def _parts(state: PromptState, count: int) -> list[np.ndarray[Any, Any]]:
    """The first slots of a buffer, each part in one piece of memory."""
    layers, halves, _, heads = state.buffer.shape[:4]
    places = [(layer, half, 0, head) for layer in range(layers) for half in range(halves) for head in range(heads)]
    return [state.buffer[place][:count] for place in places]
