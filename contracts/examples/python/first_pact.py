"""A first pact from Python: one interaction of the shop "my-python-shop", played against a mock and written down."""

import json
import sys
from urllib.request import Request, urlopen

from pact import Pact, match

folder = sys.argv[1] if len(sys.argv) > 1 else "pacts"

pact = Pact("my-python-shop", "subscription-service").with_specification("V4")
(
    pact.upon_receiving("a form that cancels a subscription at the end of its period")
    .given("a subscription exists", subscription_id="sub_mine", plan="basic")
    .with_request("POST", "/v1/subscriptions/sub_mine/cancel")
    .with_header("Authorization", "Bearer sk_sandbox_default")
    .with_body("at_period_end=true", "application/x-www-form-urlencoded")
    .will_respond_with(200)
    .with_body({"customer_id": match.str("cus_ada"), "plan": match.str("basic")})
)

with pact.serve() as mock:
    request = Request(
        f"{mock.url}/v1/subscriptions/sub_mine/cancel",
        data=b"at_period_end=true",
        headers={
            "Authorization": "Bearer sk_sandbox_default",
            "Content-Type": "application/x-www-form-urlencoded",
        },
    )
    with urlopen(request) as answer:
        assert json.load(answer)["plan"] == "basic"

pact.write_file(folder)
