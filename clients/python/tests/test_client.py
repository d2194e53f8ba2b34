"""The client, against a sandbox that runs."""

import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Callable, List, Tuple, Type

import pytest
from subscription_sandbox import (
    ConditionNotMet,
    Sandbox,
    SandboxError,
    Unreachable,
    connect,
    create,
    _server,
    serve,
)


def test_a_catalog_of_ones_own(sandbox: Sandbox) -> None:
    sandbox.products.create(product_id="prod_paper", name="Paper")
    sandbox.plans.create(
        plan_id="daily", product_id="prod_paper", name="Daily", amount=99, currency="EUR", interval="day"
    )
    sandbox.customers.create(customer_id="cus_emmy", name="Emmy", currency="EUR")
    sandbox.coupons.create(coupon_id="HALF", type="percentage", value=50, duration="forever")
    sandbox.promotions.create(code="SPRING", coupon_id="HALF")
    made = sandbox.subscriptions.create(
        customer_id="cus_emmy", plan="daily", promotion_code="SPRING"
    )
    sandbox.clock.advance(timedelta(days=2))
    invoices = sandbox.invoices.list(subscription_id=made["subscription_id"])
    # Half of 99 is 49.5, and a discount is rounded in favour of the customer.
    assert [invoice["amount_paid"] for invoice in invoices] == [49, 49, 49]
    assert sandbox.promotions.get("SPRING")["times_redeemed"] == 1
    assert sandbox.plans.update("daily", name="Every day")["name"] == "Every day"
    assert sandbox.coupons.update("HALF", expires_at=None)["expires_at"] is None


def test_what_nothing_refers_to_can_be_deleted(sandbox: Sandbox) -> None:
    sandbox.customers.delete("cus_linus")
    assert "cus_linus" not in [each["customer_id"] for each in sandbox.customers.list()]
    sandbox.subscriptions.create(customer_id="cus_ada", plan="pro")
    with pytest.raises(SandboxError) as refused:
        sandbox.customers.delete("cus_ada")
    assert (refused.value.status, refused.value.code) == (409, "in_use")


def test_a_refusal_names_the_fields_at_fault(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError) as refused:
        sandbox.plans.create(
            product_id="prod_app", name="", amount=-1, currency="USD", interval="month"
        )
    assert (refused.value.status, refused.value.code) == (400, "invalid_request")
    assert set(refused.value.fields) == {"name", "amount"}
    assert refused.value.detail in str(refused.value)


def test_a_refusal_of_a_documented_operation_is_one_too(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="sub_gone") as refused:
        sandbox.subscriptions.pause("sub_gone")
    assert (refused.value.status, refused.value.code) == (404, "not_found")


def test_the_clock_goes_where_it_is_sent(sandbox: Sandbox) -> None:
    assert sandbox.clock.now == "2027-01-01T00:00:00.000Z"
    subscription = sandbox.subscriptions.create(
        customer_id="cus_ada", plan="basic", trial_period_days=14
    )["subscription_id"]
    moved = sandbox.clock.to_next()
    assert (moved["from"], moved["to"]) == ("2027-01-01T00:00:00.000Z", "2027-01-15T00:00:00.000Z")
    assert "subscription.activated" in [event["type"] for event in moved["events"]]
    sandbox.clock.to(datetime(2027, 2, 1, tzinfo=timezone.utc))
    assert sandbox.clock.now == "2027-02-01T00:00:00.000Z"
    assert sandbox.clock.advance("P1Y", dry_run=True)["to"] == "2028-02-01T00:00:00.000Z"
    assert sandbox.clock.now == "2027-02-01T00:00:00.000Z"
    due = sandbox.agenda(subscription_id=[subscription, "sub_gone"], limit=1)["data"]
    assert due[0]["subject"]["id"] == subscription
    told = sandbox.events.list(subscription_id=[subscription])
    assert {event["subject"]["kind"] for event in told} == {"subscription", "invoice"}
    with pytest.raises(SandboxError) as refused:
        sandbox.clock.to("2027-01-31")
    assert refused.value.code == "clock_backwards"
    with pytest.raises(ConditionNotMet, match=f"{subscription} was never past_due") as stopped:
        sandbox.clock.until(subscription, "past_due", within="P3M")
    assert stopped.value.advance["to"] == "2027-05-01T00:00:00.000Z"
    with pytest.raises(ConditionNotMet) as ended:
        sandbox.clock.until(subscription, "past_due")
    assert ended.value.advance["to"] == "2028-05-01T00:00:00.000Z"
    with pytest.raises(ConditionNotMet, match=r"until 2028-06-01T00:00:00.000Z$"):
        sandbox.clock.until(subscription, "past_due", within="P1M", dry_run=True)


def test_the_type_of_an_event_says_what_its_detail_has(sandbox: Sandbox) -> None:
    sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")
    paid: List[int] = []
    for event in sandbox.events.list():
        if event["type"] == "invoice.paid":
            paid.append(event["detail"]["amount_paid"])
    assert paid == [1000]


def test_a_payment_fails_as_often_as_said(sandbox: Sandbox) -> None:
    sandbox.payments.fail("expired_card", times=2, customer_id="cus_ada")
    assert sandbox.payments.list()[0]["outcomes"] == ["expired_card", "expired_card"]
    wrong: Any = "succeed"
    with pytest.raises(ValueError, match="reason must be one of card_declined, .*; got 'succeed'"):
        sandbox.payments.fail(wrong)
    sandbox.payments.clear()
    sandbox.payments.fail(times=None)
    charge = sandbox.charges.create(customer_id="cus_ada", amount=500, currency="USD")
    assert (charge["status"], charge["failure_reason"]) == ("failed", "card_declined")


def test_a_subscription_lives_by_the_documented_operations(sandbox: Sandbox) -> None:
    id = sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")["subscription_id"]
    assert sandbox.subscriptions.update(id, plan="pro")["plan"] == "pro"
    assert sandbox.subscriptions.apply_coupon(id, coupon_id="SAVE20")["discounts"] != []
    assert sandbox.subscriptions.pause(id)["status"] == "paused"
    assert sandbox.subscriptions.resume(id)["status"] == "active"
    assert sandbox.subscriptions.list()[0]["access_until"] is None
    assert len(sandbox.subscriptions.forecast(id, until="2027-06-01")["data"]) > 3
    (total,) = sandbox.customers.forecast("cus_ada", for_="P3M")["totals"]
    assert (total["currency"], total["total"] > 0) == ("USD", True)
    assert sandbox.subscriptions.cancel(id, at_period_end=True)["cancel_at_period_end"] is True
    assert sandbox.subscriptions.cancel(id)["status"] == "canceled"
    invoice = sandbox.invoices.list()[1]
    assert sandbox.invoices.explain(invoice["invoice_id"])["invoice"] == invoice
    assert sandbox.audit()["ok"] is True


def test_a_checkpoint_brings_everything_back(sandbox: Sandbox) -> None:
    sandbox.checkpoint("before")
    sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")
    with sandbox.fork() as fork:
        fork.clock.advance("P1Y")
        assert len(fork.invoices.list()) == 13
        assert fork.api_key != sandbox.api_key
        assert fork.id.startswith(f"{sandbox.id}--")
    assert len(sandbox.invoices.list()) == 1
    sandbox.restore("before")
    assert sandbox.invoices.list() == []
    exported = sandbox.export_state()
    sandbox.clock.advance("P1D")
    sandbox.restore_state(exported)
    assert sandbox.clock.now == "2027-01-01T00:00:00.000Z"
    assert sandbox.reset(fixture="empty")["counts"]["customers"] == 0


def test_a_what_if_compares_two_futures(sandbox: Sandbox) -> None:
    id = sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")["subscription_id"]
    change = {
        "operation": "applyCoupon",
        "params": {"subscription_id": id},
        "body": {"coupon_id": "SAVE20"},
    }
    answer = sandbox.what_if([change], within="P6M")
    assert answer["customers"][0]["customer_id"] == "cus_ada"
    assert sandbox.subscriptions.get(id)["discounts"] == []


def test_tokens_are_issued_refreshed_and_revoked(sandbox: Sandbox) -> None:
    issued = sandbox.tokens.issue(subject="ada")
    refreshed = sandbox.tokens.refresh(issued["refresh_token"])
    assert refreshed["token_type"] == "Bearer"
    sandbox.tokens.revoke(family_id=issued["family_id"])
    with pytest.raises(SandboxError) as refused:
        sandbox.tokens.refresh(issued["refresh_token"])
    assert refused.value.code == "invalid_grant"


def test_a_fault_hits_the_call_that_it_names(sandbox: Sandbox) -> None:
    fault = sandbox.faults.create(
        match={"operation": "pauseSubscription"}, times=1, effect={"status": 503}
    )
    id = sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")["subscription_id"]
    with pytest.raises(SandboxError) as refused:
        sandbox.subscriptions.pause(id)
    assert refused.value.status == 503
    assert sandbox.faults.get(fault["fault_id"])["left"] == 0
    assert sandbox.requests.list(status=503)[0]["fault"] == fault["fault_id"]


def test_a_refusal_without_a_body_names_the_fault(sandbox: Sandbox) -> None:
    fault = sandbox.faults.create(effect={"status": 500})["fault_id"]
    with pytest.raises(SandboxError, match=f"500 unknown: the fault {fault} hit this call"):
        sandbox.subscriptions.pause("sub_000001")


def test_an_answer_that_a_fault_broke_names_the_fault(sandbox: Sandbox) -> None:
    id = sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")["subscription_id"]
    fault = sandbox.faults.create(effect={"malformed": True})["fault_id"]
    with pytest.raises(Unreachable, match=f"was hit by the fault {fault}: its answer is not JSON"):
        sandbox.subscriptions.pause(id)


@pytest.mark.parametrize(
    ("effect", "kind", "message"),
    [
        ({"status": 302}, SandboxError, "refused with 302 unknown: the fault flt_.* hit this call"),
        ({"status": 200, "body": "hello"}, Unreachable, "by the fault flt_.* answer is not JSON"),
        ({"cut": True}, Unreachable, "its answer is cut by the fault flt_"),
    ],
)
def test_an_answer_of_a_fault_is_no_record(
    sandbox: Sandbox, effect: Any, kind: Type[Exception], message: str
) -> None:
    id = sandbox.subscriptions.create(customer_id="cus_ada", plan="basic")["subscription_id"]
    sandbox.faults.create(effect=effect)
    with pytest.raises(kind, match=message):
        sandbox.subscriptions.pause(id)


def test_settings_are_of_this_sandbox_alone(sandbox: Sandbox) -> None:
    changed = sandbox.settings.update(paused_status_name="on_hold", retry_schedule=["P1D"])
    assert changed["paused_status_name"] == "on_hold"
    with create(sandbox.url, settings={"refresh_rotation": "keep"}, now="2030-01-01") as other:
        assert other.settings.get()["paused_status_name"] == "paused"
        assert other.settings.get()["refresh_rotation"] == "keep"
        assert other.clock.now == "2030-01-01T00:00:00.000Z"


def test_a_list_has_all_its_pages(sandbox: Sandbox) -> None:
    for number in range(1, 1003):
        sandbox.products.create(product_id=f"prod_{number:04}", name="One of many")
    assert len(sandbox.products.list()) == 1003
    assert len(sandbox.products.list(limit=1001)) == 1001
    assert sandbox.products.list(limit=1) == sandbox.products.list()[:1]


def test_an_identifier_is_one_part_of_a_path(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError) as refused:
        sandbox.plans.get("basic/../../coupons")
    assert refused.value.code == "not_found"


def test_a_sandbox_that_is_there_is_connected_to(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_URL", sandbox.url)
    monkeypatch.setenv("SANDBOX_ID", sandbox.id)
    with connect() as same:
        assert (same.id, same.api_key) == (sandbox.id, sandbox.api_key)
    # It was there before the block, and is there after it.
    assert connect(sandbox.url, sandbox_id=sandbox.id).id == sandbox.id
    with pytest.raises(SandboxError, match="gone"):
        connect(sandbox_id="gone")


def test_what_is_no_duration_or_instant_is_said(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="milliseconds"):
        sandbox.clock.advance(timedelta(microseconds=1))
    with pytest.raises(ValueError, match="time zone"):
        sandbox.clock.to(datetime(2027, 2, 1))
    with pytest.raises(ValueError, match="instant must be whole milliseconds"):
        sandbox.clock.to(datetime(2027, 2, 1, 0, 0, 0, 999_999, tzinfo=timezone.utc))
    assert sandbox.agenda(subscription_id=["sub_000001", "sub_000002"])["data"] == []
    with pytest.raises(SandboxError) as refused:
        sandbox.clock.advance("a while")
    assert "by" in refused.value.fields


def test_a_field_takes_a_datetime_as_the_clock_does(sandbox: Sandbox) -> None:
    end: Any = datetime(2030, 1, 1, tzinfo=timezone.utc)
    assert sandbox.coupons.update("SAVE20", expires_at=end)["expires_at"] == "2030-01-01T00:00:00.000Z"
    assert sandbox.agenda(before=end)["data"] == []
    with pytest.raises(ValueError, match="expires_at must be what JSON can hold: .* with a time zone"):
        sandbox.coupons.update("SAVE20", expires_at=end.replace(tzinfo=None))


@pytest.mark.parametrize("wrong", ["", "..", None, 7])
def test_an_identifier_is_a_text(sandbox: Sandbox, wrong: Any) -> None:
    with pytest.raises(ValueError, match=f"plan_id must be .*; got {wrong!r}"):
        sandbox.plans.get(wrong)
    with pytest.raises(ValueError, match="subscription_id must be"):
        sandbox.subscriptions.cancel(wrong)
    assert asked_of(sandbox) == 0


def test_what_has_the_wrong_type_is_said_before_it_is_sent(sandbox: Sandbox) -> None:
    untyped: Any = sandbox
    calls: List[Tuple[Callable[[], Any], str]] = [
        (lambda: untyped.payments.fail(times=1.5), "times must be an integer from 1 to 1000"),
        (lambda: untyped.payments.fail(times=0), "or None for all; got 0"),
        (lambda: untyped.payments.fail(times=10**9), "got 1000000000"),
        (lambda: untyped.clock.advance(5), "by must be a duration such as 'P14D'.*got 5"),
        (lambda: untyped.clock.to(5), "instant must be .*got 5"),
        (lambda: untyped.clock.until("sub_1", "active", within=5), "within must be .*got 5"),
        (lambda: untyped.plans.list(limit="5"), "limit must be an integer.*got '5'"),
        (lambda: untyped.plans.list(limit=0), "limit must be an integer of at least 1; got 0"),
        (lambda: untyped.settings.update(retry_schedule={1}), "retry_schedule must be what JSON"),
        (lambda: untyped.tokens.refresh("rt_of_ada\n"), "^refresh_token must be(?!.*rt_of_ada)"),
    ]
    for call, said in calls:
        with pytest.raises(ValueError, match=said):
            call()
    assert asked_of(sandbox) == 0


def asked_of(sandbox: Sandbox) -> int:
    """How many calls it kept: one that it refused would be there."""
    return len(sandbox.requests.list())


@pytest.mark.parametrize(
    "url",
    [
        "http://ada:hunter2@127.0.0.1:4010",
        "http://ada:hunter2@127.0.0.1:port",
        "ada:hunter2@127.0.0.1",
        "127.0.0.1:4010",
        "http://",
        "ftp://127.0.0.1",
        "http://127.0.0.1:9/?sandbox=shop",
        "http://127.0.0.1:9#shop",
    ],
)
def test_an_address_is_checked_and_its_password_is_not_shown(url: str) -> None:
    with pytest.raises(ValueError, match="url, or SANDBOX_URL, must be an address") as refused:
        connect(url)
    assert "hunter2" not in repr(refused.value)
    assert refused.value.__cause__ is None


def test_a_control_token_is_not_shown() -> None:
    with pytest.raises(ValueError, match="control_token must be visible") as refused:
        connect("http://127.0.0.1:9", control_token="of-the-team\n")
    assert "of-the-team" not in repr(refused.value)


def test_an_empty_control_token_is_none(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_CONTROL_TOKEN", "")
    assert connect(sandbox.url).id == "default"


def test_a_server_of_another_kind_is_named() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        with pytest.raises(Unreachable, match="is no sandbox"):
            connect(f"http://127.0.0.1:{other.server_port}")
        other.shutdown()


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *args: Any) -> None:
        """Nothing is printed."""


def test_a_server_that_is_not_installed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDBOX_COMMAND", raising=False)
    with pytest.raises(Unreachable, match="npm install --save-dev.*SANDBOX_URL.*SANDBOX_COMMAND"):
        with serve():
            pass


def test_a_server_that_refuses_its_settings_says_so_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = "--settings no.yaml: there is no such file."
    monkeypatch.setattr(_server, "USUAL_COMMAND", f"sh -c 'echo \"{refusal}\"; exit 2'")
    monkeypatch.delenv("SANDBOX_COMMAND", raising=False)
    with pytest.raises(Unreachable, match=rf"`\. {refusal}$"):
        with serve():
            pass


def test_a_list_in_a_query_may_have_what_is_no_text(sandbox: Sandbox) -> None:
    untyped: Any = sandbox
    assert untyped.events.list(subscription_id=[1]) == []


def test_a_filter_is_no_dictionary(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="customer_id must be a text, a number, a bool, or a list"):
        sandbox.subscriptions.list(customer_id={"id": "cus_ada"})  # type: ignore[arg-type]


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(Unreachable, match="http://127.0.0.1:9 does not answer: Connection refused$"):
        connect("http://127.0.0.1:9")
    with pytest.raises(Unreachable, match="`nosuch --now`. No such file or directory: nosuch$"):
        with serve("nosuch --now"):
            pass
    with pytest.raises(Unreachable, match="is not a command"):
        with serve("sh -c 'echo this is not a command; exit 1'"):
            pass


def test_a_server_runs_as_long_as_its_block() -> None:
    with serve() as url:
        assert connect(url).id == "default"
    with pytest.raises(Unreachable):
        connect(url)


def test_a_server_ends_with_a_program_that_is_killed() -> None:
    program = """
import os, signal
from subscription_sandbox import serve
with serve() as url:
    print(url, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    url = killed.stdout.strip()
    assert url.startswith("http://127.0.0.1:")
    with pytest.raises(Unreachable):
        # It has its time to stop.
        for _ in range(600):
            connect(url)
            time.sleep(0.1)
