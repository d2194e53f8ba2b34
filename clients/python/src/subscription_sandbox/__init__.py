"""A client of the subscription sandbox: a year of billing in a second, from tests in Python."""

from ._errors import ClockStopped, ConditionNotMet, SandboxError, Unreachable
from ._sandbox import Clock, Payments, Sandbox, Tokens, connect, create
from ._server import serve

__all__ = [
    "Clock",
    "ClockStopped",
    "ConditionNotMet",
    "Payments",
    "Sandbox",
    "SandboxError",
    "Tokens",
    "Unreachable",
    "connect",
    "create",
    "serve",
]
