"""Processes as a test sees them from outside."""

import subprocess
from pathlib import Path


def children(pid: int) -> set[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    ).stdout
    return {int(word) for word in listed.split()}


def serves_a_database(pid: int) -> bool:
    """Whether it is a database process, and not another that was given its number since."""
    try:
        return b"inquery.databases.sandbox.child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
