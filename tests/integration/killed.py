"""Runs a question in child processes, each killed at another node; the parent resumes them."""

import asyncio
import os
import signal
import sys

from inquery.agents.opening import open_runner
from inquery.agents.run import Request
from inquery.settings import Settings


async def run(thread: str, node: str, status: str, connection: str, question: str) -> None:
    settings = Settings(memory={"durability": "sync"})
    async with open_runner(settings) as runner:
        async for event in runner.stream(Request(question, thread_id=thread, connection_id=connection)):
            if event.type == "step" and (event.name, event.status) == (node, status):
                os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    connection, question, *nodes = sys.argv[1:]
    for node in nodes:
        for status in ("started", "finished"):
            child = os.fork()
            if not child:
                asyncio.run(run(f"{node}-{status}", node, status, connection, question))
                os._exit(3)  # the node was not reached
            _, code = os.waitpid(child, 0)
            print(f"{node}-{status}", os.WTERMSIG(code) if os.WIFSIGNALED(code) else "alive", flush=True)


if __name__ == "__main__":
    main()
