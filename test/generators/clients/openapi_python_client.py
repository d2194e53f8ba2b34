"""The client of openapi-python-client: in JSON, and in forms."""

import json
import os

from generated import AuthenticatedClient
from generated.api.subscriptions import apply_coupon, cancel_subscription, create_subscription
from generated.models import (
    ApplyCoupon,
    ApplyCouponForm,
    Subscription,
    SubscriptionCancel,
    SubscriptionCancelForm,
    SubscriptionCreate,
    SubscriptionCreateForm,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
ways = [
    (SubscriptionCreate, ApplyCoupon, SubscriptionCancel),
    (SubscriptionCreateForm, ApplyCouponForm, SubscriptionCancelForm),
]
for create, apply, cancel in ways:
    order = create(customer_id="cus_ada", plan="basic", trial_period_days=14)
    created = create_subscription.sync(client=client, body=order)
    assert isinstance(created, Subscription), created
    subscription_id = created.subscription_id
    coupon = apply(coupon_id="SAVE20")
    discounted = apply_coupon.sync(subscription_id, client=client, body=coupon)
    assert isinstance(discounted, Subscription), discounted
    ending = cancel_subscription.sync(
        subscription_id, client=client, body=cancel(at_period_end=True)
    )
    assert isinstance(ending, Subscription), ending
    print(json.dumps(ending.to_dict()))
