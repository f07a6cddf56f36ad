"""Asks a database, by the Python door, what its input says line by line; `close` closes the door."""

import sys

from inquery import Inquery


def main() -> None:
    client = Inquery.connect(sys.argv[1])
    print("open", flush=True)
    for line in sys.stdin:
        if line.strip() == "close":
            client.close()
        else:
            client.ask(line.strip())
        print("done", flush=True)


if __name__ == "__main__":
    main()
