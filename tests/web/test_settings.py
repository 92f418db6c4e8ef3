"""The settings: read from the environment once, and refused in one line that says what to set."""

import os

import pytest

from service.web.processors import usable_processors
from service.web.settings import SettingError, Settings


def test_without_variables_the_defaults_hold() -> None:
    """An empty environment gives the documented defaults, and a worker a processor that may be used."""
    assert Settings.from_environment({}) == Settings()
    assert Settings().workers == usable_processors()


def test_a_default_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with more processors than anybody may ask workers for gets a worker for each."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(384), raising=False)
    assert Settings.from_environment({"PORT": "80"}).workers == usable_processors()


def test_variables_are_read() -> None:
    """Each setting is read from its variable."""
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


@pytest.mark.parametrize(("host", "bind"), [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("box", "box:80")])
def test_an_address_is_written_as_gunicorn_takes_it(host: str, bind: str) -> None:
    """An address of IP version 6 stands in brackets."""
    assert Settings(host=host, port=80).bind == bind


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "box-1.example"])  # noqa: S104
def test_an_address_or_a_name_is_a_host(host: str) -> None:
    """Addresses of both versions and names are taken as they are."""
    assert Settings.from_environment({"HOST": host}).host == host


@pytest.mark.parametrize("text", ["", " ", "localhost:80", "[::1]", "http://box", "a b", "box\n", "unix:/tmp/box"])
def test_a_bad_host_is_refused(text: str) -> None:
    """What is no address is refused: an empty one would listen on every interface."""
    with pytest.raises(SettingError, match=r"^HOST='.*' cannot be used: set it to an address of this machine"):
        Settings.from_environment({"HOST": text})


@pytest.mark.parametrize(("name", "most"), [("PORT", 65_535), ("WEB_CONCURRENCY", 256)])
@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "1.0", "http", "٨٠", "9" * 5000])
def test_a_bad_setting_is_refused(name: str, most: int, text: str) -> None:
    """A value that cannot be used is refused in one line: the variable, its value and what is allowed."""
    with pytest.raises(
        SettingError, match=rf"^{name}='.*' cannot be used: .* whole number from 1 to {most}\.$"
    ) as refused:
        Settings.from_environment({name: text})
    assert len(str(refused.value)) < 120


def test_the_limits_are_accepted() -> None:
    """The largest value that a refusal names is taken."""
    greatest = Settings.from_environment({"PORT": "65535", "WEB_CONCURRENCY": "256"})
    assert (greatest.port, greatest.workers) == (65_535, 256)


@pytest.mark.parametrize("text", ["", "loud", "info,debug", "10"])
def test_a_bad_level_is_refused(text: str) -> None:
    """A level that there is not is refused with those that there are."""
    with pytest.raises(SettingError, match=r"^LOG_LEVEL='.*' cannot be used: set it to one of debug, info, warning"):
        Settings.from_environment({"LOG_LEVEL": text})


@pytest.mark.parametrize(
    "text", ["", "example.org", "https://", "https://a.example/path", "*,https://a.example", "ftp://a"]
)
def test_a_bad_origin_is_refused(text: str) -> None:
    """What is no origin is refused, with one for an example."""
    with pytest.raises(SettingError, match=r"^CORS_ORIGINS='.*' cannot be used: .* such as https://example\.org"):
        Settings.from_environment({"CORS_ORIGINS": text})
