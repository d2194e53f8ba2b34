"""What a failed test leaves: a folder with its sandbox as it was."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import re
import shutil
import uuid
from pathlib import Path
from typing import Any, List, Tuple

from ._errors import SandboxError
from ._sandbox import Sandbox
from .types import Request

# The folder of all bundles, in the working folder. It keeps itself out of version control.
BUNDLES = Path(".sandbox")

NAME_MAX = 80


def bundle_folder(test: str) -> Path:
    """The folder of a test, by its node id: no two tests have the same."""
    words = re.sub(r"[^\w.-]+", "-", test, flags=re.ASCII)[:NAME_MAX]
    return BUNDLES / f"{words}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"


def remove_bundle(folder: Path) -> None:
    """Removes what an earlier failure of a test left.

    It goes in one step: runs of the same tests at one time, as those of a matrix, have the same folders.
    """
    removed = _passing_folder(folder)
    with contextlib.suppress(FileNotFoundError):
        folder.rename(removed)
        shutil.rmtree(removed, ignore_errors=True)


def _passing_folder(folder: Path) -> Path:
    """A folder beside another one, that nobody else uses."""
    return folder.with_name(f".{uuid.uuid4()}")


def newest_request(sandbox: Sandbox) -> int:
    """The number of the newest request that a sandbox logged; 0 before the first."""
    newest = sandbox.requests.list(limit=1)
    return newest[0]["number"] if newest else 0


def lost_requests(server: Sandbox, since: int) -> List[Request]:
    """The requests to /v1 since a number that reached the default sandbox, for their key; newest first."""
    return [
        each
        for each in server.requests.list()
        if each["number"] > since and re.search(r"/v1(?:[/?]|$)", each["request"]["path"])
    ]


def write_bundle(sandbox: Sandbox, requests: List[Request], folder: Path) -> None:
    """Writes a sandbox as a fixture, its recording as data and as a script, and requests.

    As bytes: a text would be in the encoding, and with the ends of lines, of this machine.
    """
    written = _passing_folder(folder)
    written.mkdir(parents=True)
    try:
        (folder.parent / ".gitignore").write_bytes(b"*\n")
        (written / "fixture.json").write_bytes(json.dumps(sandbox.export_fixture()).encode())
        (written / "requests.json").write_bytes(json.dumps(requests, indent=2).encode())
        _write_recording(sandbox, written)
        _put(written, folder)
    finally:
        shutil.rmtree(written, ignore_errors=True)


def _write_recording(sandbox: Sandbox, folder: Path) -> None:
    try:
        recording: Any = {form: sandbox.recording(format=form) for form in ("json", "curl")}
    except SandboxError as error:
        (folder / "recording.txt").write_bytes(f"{error}\n".encode())
        return
    (folder / "recording.json").write_bytes(recording["json"].encode())
    (folder / "recording.sh").write_bytes(recording["curl"].encode())


def _put(written: Path, folder: Path) -> None:
    """Puts a folder in the place of another one."""
    while True:
        remove_bundle(folder)
        try:
            written.rename(folder)
            return
        except OSError as error:
            # Another run has put one there meanwhile.
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise


def write_report(folder: Path, sections: List[Tuple[str, str]]) -> None:
    """Writes what the report of a test says into its bundle, if that was written."""
    if folder.is_dir():
        text = "\n\n".join(f"{title}\n{lines}" for title, lines in sections)
        (folder / "report.txt").write_bytes(f"{text}\n".encode())
