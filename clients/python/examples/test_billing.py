"""A year of the shop's billing, in a second. Each test has a sandbox of its own."""

import pytest
from billing import Billing, Refused
from subscription_sandbox import Sandbox


@pytest.fixture
def billing(sandbox: Sandbox) -> Billing:
    return Billing(sandbox.url, sandbox.api_key)


def test_a_trial_becomes_paid(billing: Billing, sandbox: Sandbox) -> None:
    subscription = billing.subscribe("cus_ada", "pro", trial_days=14)
    assert sandbox.invoices.list() == []
    sandbox.clock.advance("P14D")
    assert sandbox.subscriptions.get(subscription)["status"] == "active"
    assert [invoice["amount_paid"] for invoice in sandbox.invoices.list()] == [2500]


def test_a_coupon_takes_20_percent_for_three_months(billing: Billing, sandbox: Sandbox) -> None:
    billing.redeem(billing.subscribe("cus_ada", "pro", trial_days=14), "SAVE20")
    sandbox.clock.advance("P5M")
    amounts = [invoice["amount_paid"] for invoice in sandbox.invoices.list()]
    assert amounts == [2000, 2000, 2000, 2500, 2500]


def test_a_card_that_fails_once_is_charged_again(billing: Billing, sandbox: Sandbox) -> None:
    subscription = billing.subscribe("cus_ada", "basic")
    sandbox.payments.fail("insufficient_funds")
    sandbox.clock.until(subscription, "past_due", within="P2M")
    sandbox.clock.until(subscription, "active", within="P1M")
    renewal = sandbox.invoices.list()[-1]
    outcomes = [attempt["outcome"] for attempt in renewal["attempts"]]
    assert outcomes == ["insufficient_funds", "succeeded"]


def test_access_goes_on_until_the_end_of_the_period(billing: Billing, sandbox: Sandbox) -> None:
    subscription = billing.subscribe("cus_ada", "basic")
    billing.cancel_at_period_end(subscription)
    assert sandbox.subscriptions.get(subscription)["status"] == "active"
    sandbox.clock.advance("P1M")
    assert sandbox.subscriptions.get(subscription)["status"] == "canceled"


def test_a_coupon_that_has_expired_is_refused(billing: Billing) -> None:
    subscription = billing.subscribe("cus_ada", "basic")
    with pytest.raises(Refused, match="EXPIRED"):
        billing.redeem(subscription, "EXPIRED")
