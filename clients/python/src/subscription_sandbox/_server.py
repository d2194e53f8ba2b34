"""A server of one's own, for as long as a test run takes."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import IO, Iterator, List, Optional

from ._errors import Unreachable

# What is installed, in the folder of the tests or above it: nothing is fetched by its name.
USUAL_COMMAND = "npx --offline --yes=false subscription-sandbox serve --port 0 --data memory"

# Between this process and the server: ends the server with this process, however that ends, because the pipe between
# them closes then. A signal to the group reaches both; the server has its time to stop.
KEEPER = """
import os, signal, subprocess, sys, threading
signal.signal(signal.SIGTERM, lambda *_: None)
try:
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
except OSError as error:
    sys.exit(f"{error.strerror}: {error.filename}")
def end_with_parent():
    os.read(0, 1)
    os.killpg(0, signal.SIGTERM)
threading.Thread(target=end_with_parent, daemon=True).start()
sys.exit(server.wait())
"""

INSTEAD = (
    "It takes Node and subscription-sandbox, installed in this folder: npm install --save-dev, with the"
    " folder of a clone. Or set SANDBOX_URL to the address of a sandbox that runs, or SANDBOX_COMMAND to"
    " a command that starts one."
)

# A machine may be busy with other tests.
START_SECONDS = 120.0
STOP_SECONDS = 10.0


@contextmanager
def serve(command: Optional[str] = None) -> Iterator[str]:
    """Starts a server, answers its address, and stops it. The command is that of SANDBOX_COMMAND, or of npx.

    Raises `Unreachable` where it does not start.
    """
    line = command or os.environ.get("SANDBOX_COMMAND") or USUAL_COMMAND
    process = _start(line)
    # Read to the end: a server whose output nobody takes would stand still.
    reader = _Reader(process.stdout)
    reader.start()
    try:
        yield reader.address(line)
    finally:
        _stop(process)
        reader.join(STOP_SECONDS)


def _start(line: str) -> "subprocess.Popen[str]":
    try:
        return subprocess.Popen(
            _words(line),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            # A group of its own: npx has children, and Ctrl-C is for the tests alone.
            start_new_session=True,
        )
    except OSError as error:
        why = f"{error.strerror}: {error.filename}"
        raise Unreachable(_unstarted(line, why)) from error


def _unstarted(line: str, why: str) -> str:
    # What the sandbox itself refuses, such as a file of settings, says what to do.
    is_missing = line == USUAL_COMMAND and re.search(r"\bnp[mx]\b", why)
    advice = f" {INSTEAD}" if is_missing else ""
    return f"No sandbox was started with `{line}`.{advice} {why}"


def _words(line: str) -> List[str]:
    # On Windows programs such as npx are scripts, which only the shell finds.
    if sys.platform == "win32":
        return ["cmd", "/c", line]
    return [sys.executable, "-c", KEEPER, *shlex.split(line)]


def _stop(process: "subprocess.Popen[str]") -> None:
    _signal(process, hard=False)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        _signal(process, hard=True)
        process.wait()
    if process.stdin is not None:
        process.stdin.close()


def _signal(process: "subprocess.Popen[str]", *, hard: bool) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], check=False)
        return
    try:
        os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
    except ProcessLookupError:
        # It has ended by itself.
        return


class _Reader(threading.Thread):
    """Reads what a server prints: first its address, or why there is none."""

    def __init__(self, output: Optional[IO[str]]) -> None:
        super().__init__(daemon=True)
        assert output is not None
        self._output = output
        self._known = threading.Event()
        self._url: Optional[str] = None
        self._printed: List[str] = []

    def run(self) -> None:
        with self._output:
            for line in self._output:
                self._note(line)
        self._known.set()

    def _note(self, line: str) -> None:
        if self._url is not None:
            return
        self._printed.append(line)
        found = re.search(r"is ready at (\S+)", line)
        if found is not None:
            self._url = found.group(1)
            self._known.set()

    def address(self, line: str) -> str:
        """Waits for the address. Raises `Unreachable` where the server ends, or says nothing for long."""
        self._known.wait(START_SECONDS)
        if self._url is None:
            printed = "".join(self._printed).strip() or "It printed nothing."
            raise Unreachable(_unstarted(line, printed))
        return self._url
