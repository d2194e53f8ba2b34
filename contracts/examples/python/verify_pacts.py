"""Verifies every pact that was published to a sandbox, with the verifier of pact-python, and publishes the results."""

import sys

from pact import Verifier

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010"

(
    Verifier("subscription-service", host="127.0.0.1")
    .add_transport(url=base)
    .broker_source(f"{base}/sandbox/broker", selector=True)
    .consumer_version(latest=True)
    .provider_branch("main")
    .build()
    .state_handler(f"{base}/sandbox/provider-states", teardown=True, body=True)
    .set_publish_options(version="2.0", branch="main", tags=["prod"])
    .verify()
)
