"""Verifies every pact that was published to a sandbox, with the verifier of pact-python."""

import sys

from pact import Verifier

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010"

(
    Verifier("subscription-service", host="127.0.0.1")
    .add_transport(url=base)
    .broker_source(f"{base}/sandbox/broker")
    .state_handler(f"{base}/sandbox/provider-states", teardown=True, body=True)
    .verify()
)
