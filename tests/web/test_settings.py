"""The settings: read from options and variables, and an invalid one is reported in one line."""

import os
import re
from dataclasses import FrozenInstanceError, asdict

import pytest
from click import Command
from click.testing import CliRunner

from best_move.web.cpus import usable_cpus
from best_move.web.serving.command import main
from best_move.web.settings import OPTIONS, Settings

#  option -> its environment variable
VARIABLES = {option.opts[0]: str(option.envvar) for option in OPTIONS}

EXAMPLES = {
    "--host": "::1",
    "--port": "9000",
    "--workers": "3",
    "--log-level": "WARNING",
    "--cors-origins": "https://a.example, http://b.example:8080",
    "--keep-alive": "90",
}
READ = Settings(
    host="::1",
    port=9000,
    workers=3,
    log_level="warning",
    cors_origins=("https://a.example", "http://b.example:8080"),
    keep_alive=90,
)
#  The largest value of each option that is an integer.
MOST = {"--port": 65_535, "--workers": 256, "--keep-alive": 3600}


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unset the variables that this machine may have set."""
    for variable in VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)


def settings(*arguments: str) -> Settings:
    """Return the settings of a command line."""
    return Settings(**main.make_context("serve", list(arguments)).params)


def error(*arguments: str, **variables: str) -> str:
    """Return the error of the command, which is one line below its usage.

    It serves nothing if there is no error.
    """
    ended = CliRunner().invoke(Command("serve", params=main.params), arguments, env=variables)
    assert ended.exit_code == 2
    usage, _, message = ended.output.partition("\n\n")
    assert usage.startswith("Usage: ")
    assert message.count("\n") == 1
    return message.strip()


def both_errors(option: str, text: str) -> str:
    """Return the error for an invalid option; check that its variable gets the same one."""
    message = error(f"{option}={text}")
    variable = VARIABLES[option]
    assert error(**{variable: text}) == message
    assert message.startswith(f"Error: Invalid value for '{option}' (env var: '{variable}'): ")
    return message


def test_each_setting_has_an_option_and_a_variable() -> None:
    """The options have the names of the settings, and a description."""
    names = [option.name for option in OPTIONS]
    assert names == list(asdict(Settings())), "Update `OPTIONS` in settings.py."
    assert list(VARIABLES) == list(EXAMPLES), "Update `EXAMPLES` and `READ`."
    assert [option.name for option in OPTIONS if not option.help] == [], "Give it a text."


def test_without_options_and_variables_the_defaults_apply() -> None:
    """An empty environment gives the documented defaults, and one worker per available CPU."""
    assert settings() == Settings.from_environment() == Settings()
    assert Settings().workers == usable_cpus()


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting whose variable is empty, as a Compose file may pass it, has its default."""
    for variable in VARIABLES.values():
        monkeypatch.setenv(variable, "")
    assert settings() == Settings.from_environment() == Settings()


def test_settings_cannot_be_changed() -> None:
    """A setting cannot be changed after it is read, because the whole process shares it."""
    with pytest.raises(FrozenInstanceError):
        Settings().port = 80  # type: ignore[misc]


def test_the_default_number_of_workers_can_also_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default is one worker per CPU, but at most the number that an option may have."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(384), raising=False)
    workers = settings().workers
    assert workers == min(usable_cpus(), 256)
    assert settings(f"--workers={workers}").workers == workers


def test_each_setting_is_read_from_its_option() -> None:
    """The level is converted to lower case, and the origins are split at commas."""
    assert settings(*(f"{option}={text}" for option, text in EXAMPLES.items())) == READ


def test_each_setting_is_read_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command and an application under another server read the same variables."""
    for option, text in EXAMPLES.items():
        monkeypatch.setenv(VARIABLES[option], text)
    assert settings() == Settings.from_environment() == READ


def test_an_option_overrides_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an option is set, its variable is ignored, even an invalid one."""
    for variable in VARIABLES.values():
        monkeypatch.setenv(variable, "*")
    assert settings(*(f"{option}={text}" for option, text in EXAMPLES.items())) == READ


def test_an_application_under_another_server_names_an_invalid_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message of the exception is that of the command."""
    monkeypatch.setenv("CORS_ORIGINS", "a.example")
    expected = both_errors("--cors-origins", "a.example").removeprefix("Error: ")
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        Settings.from_environment()


@pytest.mark.parametrize(
    ("host", "bind"), [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("box", "box:80")]
)
def test_an_address_is_in_the_form_that_gunicorn_accepts(host: str, bind: str) -> None:
    """The address for gunicorn has an IPv6 host in brackets, and any other host unchanged."""
    assert Settings(host=host, port=80).bind == bind


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104, the address of a setting
        ("::", "http://[::1]:80"),
        ("fe80::1", "http://[fe80::1]:80"),
        ("box", "http://box:80"),
    ],
)
def test_the_url_can_be_opened_in_a_browser(host: str, url: str) -> None:
    """The URL names the host, or the loopback address if the service listens on every address."""
    assert Settings(host=host, port=80).url == url


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104, nothing listens on it
        "::",
        "::1",
        "fe80::1%eth0",
        "localhost",
        "box-1.example",
    ],
)
def test_addresses_and_names_are_accepted_as_hosts(host: str) -> None:
    """IPv4 addresses, IPv6 addresses and names are accepted unchanged."""
    assert settings(f"--host={host}").host == host


def test_an_empty_host_is_rejected() -> None:
    """An option without a text, as from an unset variable of a script, must not mean any host."""
    assert error("--host=").endswith("'' is not an address. Set one, such as 127.0.0.1.")


@pytest.mark.parametrize(("option", "most"), MOST.items())
@pytest.mark.parametrize("text", ["1.0", "http", "0x50", "9" * 5000])
def test_text_that_is_no_integer_is_rejected(option: str, most: int, text: str) -> None:
    """The message has the value and the allowed range."""
    expected = f"{text!r} is not a valid integer from 1 to {most}."
    assert both_errors(option, text).endswith(expected)


@pytest.mark.parametrize(("option", "most"), MOST.items())
@pytest.mark.parametrize("number", [-1, 0, 65_536])
def test_an_integer_out_of_range_is_rejected(option: str, most: int, number: int) -> None:
    """The message has the value and the allowed range."""
    expected = f"{number} is not in the range 1<=x<={most}."
    assert both_errors(option, str(number)).endswith(expected)


def test_the_largest_allowed_values_are_accepted() -> None:
    """The upper limits that the error messages name are accepted."""
    greatest = settings("--port=65535", "--workers=256", "--keep-alive=3600")
    assert (greatest.port, greatest.workers, greatest.keep_alive) == (65_535, 256, 3600)


@pytest.mark.parametrize(("text", "level"), [("DEBUG", "debug"), ("Warning", "warning")])
def test_the_log_level_is_case_insensitive(text: str, level: str) -> None:
    """A level may be in upper or lower case."""
    assert settings(f"--log-level={text}").log_level == level


@pytest.mark.parametrize("text", [" ", "loud", "info,debug", "10"])
def test_an_invalid_level_is_rejected(text: str) -> None:
    """The message for an unknown level lists the levels."""
    levels = "'debug', 'info', 'warning', 'error', 'critical'"
    assert both_errors("--log-level", text).endswith(f"{text!r} is not one of {levels}.")


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost",
        "http://127.0.0.1:8080",
        "http://[::1]:8080",
        "http://a.example:443",
        "https://a.example:80",
        "https://a.example:65535",
        "https://xn--bcher-kva.example",
        "https://box_1.example",
    ],
)
def test_an_origin_as_browsers_send_it_is_accepted(origin: str) -> None:
    """A host may be a name or an address, and a port any but the default one of the scheme."""
    assert settings(f"--cors-origins={origin}").cors_origins == (origin,)


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "*",
        "a.example",
        "https://",
        "ftp://a.example",
        "https://A.example",
        "https://a.example/",
        "https://a.example?b",
        "https://a.example#c",
        "https://a.example https://b.example",
        "http://a.example:80",
        "https://a.example:443",
        "https://a.example:",
        "https://a.example:0443",
        "https://a.example:65536",
        "https://b\u00fccher.example",
        "https://user@a.example",
        "https://[::1",
        "https://::1",
    ],
)
def test_an_invalid_origin_is_rejected(origin: str) -> None:
    """The message has the first origin that is invalid, and examples of valid ones."""
    expected = (
        f"{origin!r} is not an origin as browsers send it, such as https://example.org or "
        "http://localhost:8080: a scheme, a host in lower case and ASCII, and a port only if it is "
        "not the default one. Set origins, separated by commas, or * for any."
    )
    assert both_errors("--cors-origins", f"https://a.example, {origin}").endswith(expected)
