"""For pytest: the fixture `sandbox`, and what happened in it beside a test that fails."""

from __future__ import annotations

import os
from typing import Any, Callable, Generator, Iterator, Mapping, Optional

import pytest

from ._sandbox import Sandbox, create
from ._server import serve
from .types import Request

# What a report has room for.
EVENTS_SHOWN = 50
REQUESTS_SHOWN = 10
BODY_SHOWN = 300


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "sandbox(fixture=None, now=None, settings=None): what the sandbox of a test begins with.",
    )


@pytest.fixture(scope="session")
def sandbox_url() -> Iterator[str]:
    """The address of the server: that of SANDBOX_URL, or of one that runs for this session."""
    given = os.environ.get("SANDBOX_URL")
    if given:
        yield given
        return
    with serve() as url:
        yield url


@pytest.fixture
def sandbox(sandbox_url: str, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox for this test alone, with the fixture `starter` unless the marker `sandbox` says otherwise."""
    marker = request.node.get_closest_marker("sandbox")
    with create(sandbox_url, **({} if marker is None else marker.kwargs)) as made:
        yield made


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Adds to the report of a failing test what happened in its sandbox."""
    report = (yield).get_result()
    used = getattr(item, "funcargs", {}).get("sandbox")
    if report.when == "call" and report.failed and isinstance(used, Sandbox):
        report.sections.append(("sandbox timeline", _told(_timeline, used)))
        report.sections.append(("sandbox requests, the last ones", _told(_requests, used)))


def _told(tell: Callable[[Sandbox], str], sandbox: Sandbox) -> str:
    try:
        return tell(sandbox)
    except Exception as error:  # The report of the test must not be lost for it.
        return f"It cannot be asked: {error}"


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
    newest = sandbox.requests.list(limit=REQUESTS_SHOWN)
    return "\n".join(_exchange(each) for each in reversed(newest))


def _exchange(each: Request) -> str:
    request, answer = each["request"], each["answer"]
    asked = f"{each['at']}  {request['method']} {request['path']}  {_shortened(request['body'])}"
    return f"{asked.rstrip()}\n    {answer['status']}  {_shortened(answer['body'])}".rstrip()


def _shortened(body: Optional[str]) -> str:
    text = body or ""
    return text if len(text) <= BODY_SHOWN else f"{text[:BODY_SHOWN]}..."
