"""`inquery completion`: the script that completes commands and options in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from inquery.cli.language import both


@click.command(
    help=both(
        'Print a completion script. For bash, put into ~/.bashrc: eval "$(inquery completion bash)"',
        '输出补全脚本。bash 用户可在 ~/.bashrc 中加入：eval "$(inquery completion bash)"',
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script of one shell."""
    from inquery.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "inquery", "_INQUERY_COMPLETE").source())
