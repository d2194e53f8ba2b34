"""The Python client of openapi-generator."""

import os

from openapi_client import (
    ApiClient,
    ApplyCoupon,
    Configuration,
    SubscriptionCancel,
    SubscriptionCreate,
    SubscriptionsApi,
)

configuration = Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
with ApiClient(configuration) as client:
    subscriptions = SubscriptionsApi(client)
    order = SubscriptionCreate(customer_id="cus_ada", plan="basic", trial_period_days=14)
    created = subscriptions.create_subscription(order)
    subscription_id = created.subscription_id
    subscriptions.apply_coupon(subscription_id, ApplyCoupon(coupon_id="SAVE20"))
    ending = subscriptions.cancel_subscription(
        subscription_id, SubscriptionCancel(at_period_end=True)
    )
    print(ending.model_dump_json())
