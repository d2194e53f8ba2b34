"""The Python clients of openapi-generator."""

import json
import os

import control
import v1

configuration = v1.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
subscriptions = v1.SubscriptionsApi(v1.ApiClient(configuration))
sandbox = control.ApiClient(control.Configuration(host=os.environ["CONTROL_URL"]))

order = v1.SubscriptionCreate(customer_id="cus_ada", plan="basic", trial_period_days=14)
created = subscriptions.create_subscription(order)
subscription_id = created.subscription_id
discounted = subscriptions.apply_coupon(subscription_id, v1.ApplyCoupon(coupon_id="SAVE20"))
advance = control.ClockAdvance(control.ClockAdvanceBy(by="P15D"))
control.ClockApi(sandbox).advance_clock(advance)
upgraded = subscriptions.update_subscription(subscription_id, v1.SubscriptionUpdate(plan="pro"))
paused = subscriptions.pause_subscription(subscription_id)
control.SubscriptionsApi(sandbox).resume_subscription(subscription_id)
ending = subscriptions.cancel_subscription(
    subscription_id, v1.SubscriptionCancel(at_period_end=True)
)

token = control.TokensApi(sandbox).issue_tokens(token_issue=control.TokenIssue()).refresh_token
holder = v1.ApiClient(v1.Configuration(host=os.environ["BASE_URL"], access_token=token))
tokens = v1.AuthenticationApi(holder)
refreshed = tokens.refresh_token(v1.RefreshRequest(refresh_token=token))

error = None
try:
    subscriptions.update_subscription("sub_none", v1.SubscriptionUpdate(plan="pro"))
except v1.exceptions.NotFoundException as refusal:
    error = refusal.data.error

answers = [created, discounted, upgraded, paused, ending]
read = {
    "subscription_id": subscription_id,
    "statuses": [answer.status for answer in answers],
    "plan": ending.plan,
    "access_token": refreshed.access_token,
    "error": error,
}
print(json.dumps(read))
