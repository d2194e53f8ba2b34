"""The clients of openapi-python-client."""

import json
import os

from control import Client
from control.api.clock import advance_clock
from control.api.subscriptions import resume_subscription
from control.api.tokens import issue_tokens
from control.models import ClockAdvanceBy, IssuedTokens, SubscriptionRecord, TokenIssue
from v1 import AuthenticatedClient
from v1.api.authentication import refresh_token
from v1.api.subscriptions import (
    apply_coupon,
    cancel_subscription,
    create_subscription,
    pause_subscription,
    update_subscription,
)
from v1.models import (
    ApplyCoupon,
    Error,
    RefreshRequest,
    Subscription,
    SubscriptionCancel,
    SubscriptionCreate,
    SubscriptionUpdate,
    TokenResponse,
)

url = os.environ["BASE_URL"]
client = AuthenticatedClient(base_url=url, token=os.environ["API_KEY"])
sandbox = Client(base_url=os.environ["CONTROL_URL"])


def success(answer, expected=Subscription):
    """The answer, where the operation succeeded."""
    assert isinstance(answer, expected), answer
    return answer


order = SubscriptionCreate(customer_id="cus_ada", plan="basic", trial_period_days=14)
created = success(create_subscription.sync(client=client, body=order))
subscription_id = created.subscription_id
discounted = success(
    apply_coupon.sync(subscription_id, client=client, body=ApplyCoupon(coupon_id="SAVE20"))
)
advanced = advance_clock.sync_detailed(client=sandbox, body=ClockAdvanceBy(by="P15D"))
assert advanced.status_code == 200, advanced
plan = SubscriptionUpdate(plan="pro")
upgraded = success(update_subscription.sync(subscription_id, client=client, body=plan))
paused = success(pause_subscription.sync(subscription_id, client=client))
success(resume_subscription.sync(subscription_id, client=sandbox), SubscriptionRecord)
ending = success(
    cancel_subscription.sync(
        subscription_id, client=client, body=SubscriptionCancel(at_period_end=True)
    )
)
token = success(issue_tokens.sync(client=sandbox, body=TokenIssue()), IssuedTokens).refresh_token
holder = AuthenticatedClient(base_url=url, token=token)
request = RefreshRequest(refresh_token=token)
refreshed = success(refresh_token.sync(client=holder, body=request), TokenResponse)
refusal = success(update_subscription.sync("sub_none", client=client, body=plan), Error)
answers = [created, discounted, upgraded, paused, ending]
read = {
    "subscription_id": subscription_id,
    "statuses": [answer.status or None for answer in answers],
    "plan": ending.plan,
    "access_token": refreshed.access_token,
    "error": refusal.error,
}
print(json.dumps(read))
