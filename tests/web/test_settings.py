"""The settings: read from the environment once, and refused in one line that says what to set."""

import os

import pytest

from service.web.settings import SettingError, Settings


def test_without_variables_the_defaults_hold() -> None:
    """An empty environment gives the documented defaults, and a worker a core."""
    assert Settings.from_environment({}) == Settings()
    assert Settings().workers == os.cpu_count()


def test_variables_are_read() -> None:
    """Each setting is read from its variable."""
    variables = {
        "HOST": "::1",
        "PORT": "9000",
        "WEB_CONCURRENCY": "3",
        "THREADS": "5",
        "LOG_LEVEL": "WARNING",
        "CORS_ORIGINS": "https://a.example, http://b.example:8080",
    }
    assert Settings.from_environment(variables) == Settings(
        host="::1",
        port=9000,
        workers=3,
        threads=5,
        log_level="warning",
        cors_origins=("https://a.example", "http://b.example:8080"),
    )


@pytest.mark.parametrize(("host", "bind"), [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("box", "box:80")])
def test_an_address_is_written_as_gunicorn_takes_it(host: str, bind: str) -> None:
    """An address of IP version 6 stands in brackets."""
    assert Settings(host=host, port=80).bind == bind


@pytest.mark.parametrize(("name", "most"), [("PORT", 65_535), ("WEB_CONCURRENCY", 256), ("THREADS", 1024)])
@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "1.0", "http", "٨٠", "9" * 5000])
def test_a_bad_setting_is_refused(name: str, most: int, text: str) -> None:
    """A value that cannot be used is refused in one line: the variable, its value and what is allowed."""
    with pytest.raises(
        SettingError, match=rf"^{name}='.*' cannot be used: .* whole number from 1 to {most}\.$"
    ) as refused:
        Settings.from_environment({name: text})
    assert len(str(refused.value)) < 120


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
