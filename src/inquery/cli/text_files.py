"""Texts that commands read from a file or standard input, and write to one."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from inquery.cli.language import both, say
from inquery.cli.output import note
from inquery.errors import BadRequest, NotFound, Text

out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=both("Write to a file instead of standard output.", "写入文件，而非标准输出。"),
)
file_argument = click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))


def read_text(file: Path) -> str:
    """The text of a file, or of standard input where it is `-`; raises BadRequest."""
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text("utf-8")
    except FileNotFoundError as error:
        raise NotFound(str(error), what=Text("file", "文件"), name=str(file)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest.because(
            f"{file} cannot be read as text", f"无法将 {file} 作为文本读取", detail=str(error)
        ) from error


def read_bytes(file: Path) -> bytes:
    """The content of a file; raises NotFound or BadRequest."""
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(str(error), what=Text("file", "文件"), name=str(file)) from error
    except OSError as error:
        raise BadRequest.because(f"{file} cannot be read", f"无法读取 {file}", detail=str(error)) from error


def write_text(text: str, out: Path | None) -> None:
    """A text on standard output, or in a file; raises BadRequest."""
    if out is None:
        click.echo(text.rstrip("\n"))
        return
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise BadRequest.because(
            f"{out} cannot be written: {error.strerror}", f"无法写入 {out}：{error.strerror}", detail=str(error)
        ) from error
    note(say(f"Written to {out}.", f"已写入 {out}。"))
