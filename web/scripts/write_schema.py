"""Writes web/openapi.json from the application; `npm run schema` makes the types of it."""

import json
import tempfile
from pathlib import Path

from inquery.api.app import create_app
from inquery.settings import Settings

OUT = Path(__file__).parents[1] / "openapi.json"


def main() -> None:
    """Write the description of the API as it is in this checkout."""
    with tempfile.TemporaryDirectory() as home:
        found = create_app(Settings(home=Path(home))).openapi()
    OUT.write_text(json.dumps(found, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
