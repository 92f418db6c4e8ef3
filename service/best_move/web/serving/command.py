"""The command that serves the API and the pages; its options are the settings."""

from typing import Any

import click

from best_move.web.settings import OPTIONS, Settings, set_gunicorns_variables


@click.command(params=[*OPTIONS])
def main(**values: Any) -> None:
    """Serve the API and the pages.

    Each option can also be set by its environment variable. An option overrides its variable, and
    an empty variable counts as unset.
    """
    settings = Settings(**values)
    set_gunicorns_variables(settings)
    from best_move.web.serving import server  # noqa: PLC0415, it imports gunicorn

    server.serve(settings)
