"""The root of the command line: global flags, commands loaded when called, errors as one clear message."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from biomolkg import __version__
from biomolkg.errors import BioMolKGError

INTERRUPTED = 130
COMPLETION = frozenset({"install_completion", "show_completion"})

COMMANDS = {
    "serve": "Start Neo4j, if none is given, and the service.",
    "load": "Load a source into the graph.",
    "ask": "Ask one question from the terminal.",
    "train": "Train retrievers on questions.",
    "bench": "Run a benchmark against a service.",
    "graph": "Say what is loaded, or remove a data set.",
    "molecules": "Search structures and propose molecular edges.",
    "texts": "Prepare texts before they are loaded.",
    "db": "Start, stop and look at the managed Neo4j.",
    "doctor": "Say what is wrong with this installation, with remedies.",
}


class LazyCommands(TyperGroup):
    """A group whose commands are known by name and help, and imported when one is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` name, from its own module."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS:
            module = importlib.import_module(f"app.commands.{name}")
            command = typer.main.get_command(module.app)
            command.name = name
            # Completion is installed once, from the root.
            command.params = [item for item in command.params if item.name not in COMPLETION]
        return name, command, rest


app = typer.Typer(
    name="biomolkg",
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _add(name: str, help_text: str) -> None:
    def named_only() -> None: ...

    app.command(name, help=help_text)(named_only)


for _name, _help in COMMANDS.items():
    _add(_name, _help)


def _print_version(wanted: bool) -> None:  # noqa: FBT001  (typer calls it with the flag's value)
    if wanted:
        typer.echo(f"biomolkg {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    home: Annotated[
        Path | None, typer.Option(help="Folder of the managed server, its data, caches and models.")
    ] = None,
    neo4j_uri: Annotated[
        str | None, typer.Option(help="Neo4j to use instead of the managed one, such as bolt://host:7687.")
    ] = None,
    neo4j_user: Annotated[str | None, typer.Option(help="User name for Neo4j.")] = None,
    neo4j_database: Annotated[str | None, typer.Option(help="Name of the database.")] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, typer.Option(help="How much is logged.")
    ] = None,
    *,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """A biomedical knowledge-graph service backed by Neo4j: questions in, ranked evidence out.

    Each flag is also a variable (BIOMOLKG_HOME, BIOMOLKG_NEO4J_URI …) or a line of .env;
    the password is only that: BIOMOLKG_NEO4J_PASSWORD.

    Example: biomolkg serve
    """
    context.obj = {
        "home": home,
        "neo4j_uri": neo4j_uri,
        "neo4j_user": neo4j_user,
        "neo4j_database": neo4j_database,
        "log_level": log_level,
    }


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code; what goes wrong is one message on standard error."""
    try:
        result = app(list(arguments), prog_name="biomolkg", standalone_mode=False)
    except BioMolKGError as error:
        _complain(str(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except typer.TyperException as error:
        return _usage_error(error)
    except MemoryError:
        _complain("There is not enough memory. Give the process more, or end others, and try again.")
        return 1
    except Exception as error:  # noqa: BLE001  (the last line of defence: no stack trace reaches a user)
        from app.logging import log_crash  # noqa: PLC0415  (structlog is loaded only when needed)

        where = log_crash(error)
        _complain(
            f"Unexpected {type(error).__name__}: {error}." + (f" Details are in {where}." if where else "")
        )
        return 1
    return result if isinstance(result, int) else 0


def _usage_error(error: typer.TyperException) -> int:
    show = getattr(error, "show", None)
    if show is not None:
        show()
    else:
        _complain(error.format_message())
    return int(getattr(error, "exit_code", 2))


def _complain(message: str) -> None:
    typer.echo(f"biomolkg: {message}", err=True)


def _open_standard_streams() -> None:
    """Streams that the caller closed lead nowhere, and no file that is opened later takes their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)  # noqa: FBT003
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def main() -> None:
    """The console script."""
    _open_standard_streams()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
