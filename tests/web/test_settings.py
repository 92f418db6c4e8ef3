"""The settings: read from the environment, and an invalid one is reported in one line."""

import os
from dataclasses import FrozenInstanceError

import pytest

from best_move.web.cpus import usable_cpus
from best_move.web.settings import VARIABLES, SettingError, Settings


def test_without_variables_the_defaults_apply() -> None:
    """An empty environment gives the documented defaults, and one worker per available CPU."""
    assert Settings.from_environment({}) == Settings()
    assert Settings().workers == usable_cpus()


def test_an_empty_variable_counts_as_unset() -> None:
    """A setting whose variable is empty, as a Compose file may pass it, has its default."""
    assert (
        Settings.from_environment({variable.name: "" for variable in VARIABLES.values()})
        == Settings()
    )


def test_each_description_states_the_default() -> None:
    """The description of each variable ends with its default."""
    described = {
        setting: variable.meaning.partition("Default: ")[2]
        for setting, variable in VARIABLES.items()
    }
    for setting in ("host", "port", "log_level"):
        assert described[setting] == f"{getattr(Settings(), setting)}."
    assert described["workers"].startswith("one per available CPU")
    assert described["cors_origins"].startswith("*,")


def test_settings_cannot_be_changed() -> None:
    """A setting cannot be changed after it is read, because the whole process shares it."""
    with pytest.raises(FrozenInstanceError):
        Settings().port = 80  # type: ignore[misc]


def test_the_default_number_of_workers_may_exceed_the_maximum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The default is one worker per CPU, even above the highest allowed WEB_CONCURRENCY."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(384), raising=False)
    assert Settings.from_environment({"PORT": "80"}).workers == usable_cpus()


def test_each_setting_is_read_from_its_variable() -> None:
    """The level is converted to lower case, and the origins are split at commas."""
    variables = {
        "HOST": "::1",
        "PORT": "9000",
        "WEB_CONCURRENCY": "3",
        "LOG_LEVEL": "WARNING",
        "CORS_ORIGINS": "https://a.example, http://b.example:8080",
    }
    assert Settings.from_environment(variables) == Settings(
        host="::1",
        port=9000,
        workers=3,
        log_level="warning",
        cors_origins=("https://a.example", "http://b.example:8080"),
    )


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
    assert Settings.from_environment({"HOST": host}).host == host


@pytest.mark.parametrize(("name", "most"), [("PORT", 65_535), ("WEB_CONCURRENCY", 256)])
@pytest.mark.parametrize(
    "text", ["0", "65536", "-1", "1.0", "http", "٨٠", "80\n", "000080", "9" * 5000]
)
def test_an_invalid_integer_is_rejected(name: str, most: int, text: str) -> None:
    """The message is one line with the variable, its value and the allowed range."""
    with pytest.raises(
        SettingError, match=rf"^{name}='.*' is invalid: set it to an integer from 1 to {most}\.$"
    ):
        Settings.from_environment({name: text})


def test_leading_zeros_are_accepted() -> None:
    """An integer may be padded with zeros to five digits."""
    assert Settings.from_environment({"PORT": "00080"}).port == 80


def test_the_largest_allowed_values_are_accepted() -> None:
    """The upper limits that the error messages name are accepted."""
    greatest = Settings.from_environment({"PORT": "65535", "WEB_CONCURRENCY": "256"})
    assert (greatest.port, greatest.workers) == (65_535, 256)


@pytest.mark.parametrize(("text", "level"), [("DEBUG", "debug"), ("Warning", "warning")])
def test_the_log_level_is_case_insensitive(text: str, level: str) -> None:
    """A level may be in upper or lower case."""
    assert Settings.from_environment({"LOG_LEVEL": text}).log_level == level


@pytest.mark.parametrize("text", [" ", "loud", "info,debug", "10"])
def test_an_invalid_level_is_rejected(text: str) -> None:
    """The message for an unknown level lists the levels."""
    with pytest.raises(
        SettingError, match=r"^LOG_LEVEL='.*' is invalid: set it to one of debug, info, warning"
    ):
        Settings.from_environment({"LOG_LEVEL": text})


@pytest.mark.parametrize(
    "text",
    [" ", "example.org", "https://", "https://a.example/path", "*,https://a.example", "ftp://a"],
)
def test_an_invalid_origin_is_rejected(text: str) -> None:
    """The message for an invalid origin has an example of a valid one."""
    with pytest.raises(
        SettingError, match=r"^CORS_ORIGINS='.*' is invalid: .* such as https://example\.org"
    ):
        Settings.from_environment({"CORS_ORIGINS": text})
