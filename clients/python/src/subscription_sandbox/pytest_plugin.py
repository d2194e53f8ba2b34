"""For pytest: the fixture `sandbox`, what happened in it beside a test that fails, and a folder with it as it was."""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, NamedTuple, Optional

import pytest

from ._failure import (
    bundle_folder,
    lost_requests,
    newest_request,
    remove_bundle,
    write_bundle,
    write_report,
)
from ._sandbox import Sandbox, connect, create
from ._server import serve
from .types import Request

# What a report has room for.
EVENTS_SHOWN = 50
REQUESTS_SHOWN = 10
BODY_SHOWN = 300

# The number of the newest request to the default sandbox when a test began.
SINCE = pytest.StashKey[int]()


# The sandbox of a test, as soon as it has one: a fixture that uses it may fail before the test begins.
MADE = pytest.StashKey[Sandbox]()

# What a marker says.
ORDERED = ("fixture", "now", "settings", "sandbox_id")

# What --sandbox-min takes a percentage of.
MEASURES = (
    "operations",
    "statuses",
    "media",
    "error_codes",
    "transitions",
    "settings",
    "assumptions",
)


IN_WORKERS = (
    "It is unknown here: under pytest -n the tests run in workers. Run it in `npx subscription-sandbox exec --coverage`,"
    " whose --min sets thresholds."
)


class _Coverage(NamedTuple):
    ok: bool
    text: str


# What the tests of this session saw of /v1.
COVERAGE = pytest.StashKey[_Coverage]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sandbox")
    group.addoption(
        "--sandbox-coverage",
        action="store_true",
        help="print at the end how much of /v1 the tests saw, in all sandboxes",
    )
    group.addoption(
        "--sandbox-min",
        action="append",
        default=[],
        metavar="MEASURE=PERCENT",
        help="the same, and fail below this coverage, such as transitions=50; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    _minima(config)
    config.addinivalue_line(
        "markers",
        "sandbox(fixture=None, now=None, settings=None, sandbox_id=None): what the sandbox of a test begins with.",
    )


def _minima(config: pytest.Config) -> Dict[str, int]:
    """The least percentages of the options, by the names of the query."""
    minima: Dict[str, int] = {}
    for text in config.getoption("--sandbox-min"):
        measure, _, percent = text.partition("=")
        if measure not in MEASURES or not re.fullmatch(r"\d{1,2}|100", percent):
            rule = f"MEASURE=PERCENT, of {', '.join(MEASURES)} and 0 to 100"
            raise pytest.UsageError(f"--sandbox-min must be {rule}; got {text!r}")
        minima[f"min_{measure}"] = int(percent)
    return minima


def _is_covered(config: pytest.Config) -> bool:
    return bool(config.getoption("--sandbox-coverage") or config.getoption("--sandbox-min"))


def _has_workers(config: pytest.Config) -> bool:
    """Whether the tests run in workers of pytest-xdist."""
    return bool(getattr(config.option, "numprocesses", None))


def _note_coverage(config: pytest.Config, url: str) -> None:
    """Asks a server for the coverage, while it runs."""
    if not _is_covered(config):
        return
    server = _server_of(url)
    minima: Dict[str, Any] = _minima(config)
    ok = server.coverage(sandboxes="all", **minima)["ok"]
    query = {"sandboxes": "all", "format": "text", **minima}
    text = server._transport.call("GET", "/sandbox/coverage", query=query, is_text=True)
    config.stash[COVERAGE] = _Coverage(ok, text)


def pytest_sessionfinish(session: pytest.Session) -> None:
    covered = session.config.stash.get(COVERAGE, None)
    is_low = covered is None or not covered.ok
    if session.config.getoption("--sandbox-min") and is_low and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not _is_covered(config):
        return
    nothing = IN_WORKERS if _has_workers(config) else "No test of this process used a sandbox."
    terminalreporter.section("sandbox coverage")
    terminalreporter.write_line(config.stash.get(COVERAGE, _Coverage(False, nothing)).text)


@pytest.fixture(scope="session")
def sandbox_url(pytestconfig: pytest.Config) -> Iterator[str]:
    """The address of the server: that of SANDBOX_URL, or of one that runs for this session."""
    given = os.environ.get("SANDBOX_URL")
    if given:
        _warn_of_ignored()
        yield given
        _note_coverage(pytestconfig, given)
        return
    with serve() as url:
        yield url
        _note_coverage(pytestconfig, url)


def _warn_of_ignored() -> None:
    # What starts a server for tests, such as exec, sets its key too, and has read them.
    ignored = ("SANDBOX_FIXTURE", "SANDBOX_SETTINGS", "SANDBOX_DEVIATION")
    for name in () if os.environ.get("SANDBOX_API_KEY") else ignored:
        if os.environ.get(name):
            text = f"{name} is for a new server; that of SANDBOX_URL ignores it."
            warnings.warn(pytest.PytestWarning(text), stacklevel=1)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Removes what an earlier failure left, whoever makes the sandbox of the test."""
    if "sandbox" in getattr(item, "fixturenames", ()):
        remove_bundle(_place_of(item))


@pytest.fixture
def sandbox(sandbox_url: str, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox for this test alone, with the fixture `starter` unless the marker `sandbox` says otherwise."""
    order = _order(request.node)
    request.node.stash[SINCE] = newest_request(_server_of(sandbox_url))
    with create(sandbox_url, **order) as made:
        request.node.stash[MADE] = made
        yield made
        del request.node.stash[MADE]


def _order(node: pytest.Item) -> Dict[str, Any]:
    """What the markers of a test say, of each argument the closest one."""
    order: Dict[str, Any] = {}
    for marker in node.iter_markers("sandbox"):
        if marker.args:
            rule = "takes arguments with names, such as fixture='empty'"
            raise pytest.UsageError(f"The marker sandbox {rule}; got {marker.args[0]!r}")
        for name, value in marker.kwargs.items():
            if name not in ORDERED:
                raise pytest.UsageError(f"The marker sandbox takes {', '.join(ORDERED)}; got {name!r}")
            order.setdefault(name, value)
    return order


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Adds to the report of a test that fails, or whose fixtures do, what happened in its sandbox."""
    report = (yield).get_result()
    used = item.stash.get(MADE, None) or getattr(item, "funcargs", {}).get("sandbox")
    if report.when != "teardown" and report.failed and isinstance(used, Sandbox):
        told = [
            ("sandbox timeline", _told(lambda: _timeline(used))),
            ("sandbox requests, the last ones", _told(lambda: _requests(used))),
            ("sandbox as it was", _told(lambda: _bundle(item, used))),
        ]
        report.sections.extend(told)
        with contextlib.suppress(OSError):
            write_report(_place_of(item), told)


def _place_of(item: pytest.Item) -> Path:
    """Where the bundle of a test is, also while the test is in another working folder."""
    return item.config.invocation_params.dir / bundle_folder(item.nodeid)


def _told(tell: Callable[[], str]) -> str:
    try:
        return tell()
    except Exception as error:  # The report of the test must not be lost for it.
        return f"It cannot be asked: {error}"


def _server_of(url: str) -> Sandbox:
    """The default sandbox, which logs what reaches no other."""
    return connect(url, sandbox_id="default")


def _bundle(item: pytest.Item, sandbox: Sandbox) -> str:
    """Writes the bundle of a failed test; says where it is, and which requests did not reach the sandbox."""
    # Where a project has a fixture `sandbox` of another kind, nobody asked for the number.
    since = item.stash.get(SINCE, None)
    lost = [] if since is None else lost_requests(_server_of(sandbox.url), since)
    folder = bundle_folder(item.nodeid)
    write_bundle(sandbox, [*sandbox.requests.list(), *lost], _place_of(item))
    lines = ["requests that did not reach it, for their key", *_exchanges(lost)] if lost else []
    return "\n".join(
        [
            *lines,
            f"It is in {folder}. To look at it, run this and open /dashboard:",
            f"npx subscription-sandbox serve --data memory --fixture {folder}/fixture.json",
        ]
    )


def _timeline(sandbox: Sandbox) -> str:
    events = sandbox.events.list()
    lines = [
        f"{each['at']}  {each['type']:<32}  {each['subject']['id']}  {_facts(each['detail'])}".rstrip()
        for each in events[-EVENTS_SHOWN:]
    ]
    left_out = len(events) - len(lines)
    head = [f"... {left_out} before"] if left_out > 0 else []
    return "\n".join([*head, *lines, f"{sandbox.clock.now}  now"])


def _facts(detail: Mapping[str, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in detail.items())


def _requests(sandbox: Sandbox) -> str:
    return "\n".join(_exchanges(sandbox.requests.list(limit=REQUESTS_SHOWN)))


def _exchanges(newest: List[Request]) -> List[str]:
    """Requests as text, the newest last."""
    return [_exchange(each) for each in reversed(newest[:REQUESTS_SHOWN])]


def _exchange(each: Request) -> str:
    request, answer = each["request"], each["answer"]
    asked = f"{each['at']}  {request['method']} {request['path']}  {_shortened(request['body'])}"
    return f"{asked.rstrip()}\n    {answer['status'] or 'no answer'}  {_shortened(answer['body'])}".rstrip()


def _shortened(body: Optional[str]) -> str:
    text = body or ""
    return text if len(text) <= BODY_SHOWN else f"{text[:BODY_SHOWN]}..."
