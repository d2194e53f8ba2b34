# Written by `npm run python-client` from the declarations of the operations. Not to be edited.
"""The operations of the sandbox, each as a method."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from ._transport import Resource, segment
from .types import (
    Agenda,
    ApplyCoupon,
    Assumption,
    Audit,
    Charge,
    ChargeCreate,
    Checkout,
    Checkpoint,
    CheckpointCreate,
    Clock,
    ClockSet,
    Coupon,
    CouponCreate,
    CouponPatch,
    Coverage,
    Customer,
    CustomerCreate,
    CustomerPatch,
    Event,
    Explanation,
    Fault,
    FaultCreate,
    Fixture,
    Forecast,
    Invoice,
    IssuedTokens,
    PaymentOutcomesCreate,
    PaymentOutcomesRemove,
    PaymentScript,
    Plan,
    PlanCreate,
    PlanPatch,
    Product,
    ProductCreate,
    ProductPatch,
    Promotion,
    PromotionCreate,
    PromotionPatch,
    Request,
    SandboxDescription,
    SandboxReset,
    SandboxSummary,
    Settings,
    SettingsPatch,
    Subscription,
    SubscriptionCancel,
    SubscriptionRecord,
    SubscriptionUpdate,
    TokenFamily,
    TokenIssue,
    TokenRevoke,
    Webhook,
    WebhookCreate,
    WebhookDelivery,
    WebhookWithSecret,
)

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


class SandboxMethods(Resource):
    def describe(self) -> SandboxDescription:
        """Describe the sandbox. Returns the key of the sandbox, its virtual now, the number of its
        records, and the next due item. It also returns how long operations blocked others in the
        server process, in real time, which varies from run to run.
        """
        answer: SandboxDescription = self._call("GET", "/sandbox")
        return answer

    def reset(self, **fields: Unpack[SandboxReset]) -> SandboxSummary:
        """Reset the sandbox. Resets the sandbox to the fixture that it was created from, including
        clock and settings, or to another fixture with its clock and settings. Checkpoints are
        deleted. Webhooks and published pacts are kept.
        """
        answer: SandboxSummary = self._call("POST", "/sandbox/reset", body=fields)
        return answer

    def export_state(self) -> Dict[str, Any]:
        """Export the sandbox. Exports the whole sandbox for a restore: clock, records, payment
        outcomes, settings, events, and the digests of tokens.
        """
        answer: Dict[str, Any] = self._call("GET", "/sandbox/state")
        return answer

    def restore_state(self, body: Dict[str, Any]) -> SandboxSummary:
        """Restore an exported sandbox. Restores the state that an export answered, of this sandbox
        or another. The sandbox keeps its own id and key; tokens work only where they were issued.
        """
        answer: SandboxSummary = self._call("PUT", "/sandbox/state", body=body)
        return answer

    def export_fixture(self, *, content: Optional[Literal["state", "catalog"]] = None) -> Fixture:
        """Export the sandbox as a fixture. Exports the sandbox as a file that `--fixture` takes.
        With its state, a sandbox that begins with it has the same records, events, settings and
        virtual now as this one had; tokens work only where they were issued. With its catalog, the
        file is like one that is written by hand, which has at most 10,000 records of a kind; of
        more, the export is refused. A file has at most 64 MiB; what is larger, PUT /sandbox/state
        takes.
        """
        answer: Fixture = self._call("GET", "/sandbox/fixture", query=dict(content=content))
        return answer

    def agenda(
        self,
        *,
        before: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[int] = None,
        subscription_id: Optional[List[str]] = None,
    ) -> Agenda:
        """List the agenda. Lists the items that will fall due, in the order in which an advance
        settles them. The clock does not move: the list is computed on a copy, while other calls are
        answered. With `subscription_id` the copy settles only the subscriptions of the same
        customers; numbers of future invoices can then differ from those of an advance, and the
        records of other customers do not count toward the limits of the sandbox. While the whole
        sandbox has scripted payment outcomes, which all customers share, all subscriptions are
        settled until these are used up.
        """
        answer: Agenda = self._call(
            "GET",
            "/sandbox/agenda",
            query=dict(before=before, limit=limit, after=after, subscription_id=subscription_id),
        )
        return answer

    def assumptions(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Assumption]:
        """List the assumptions. Lists every question that the interface leaves open, and the
        decision of the sandbox.
        """
        answer: List[Assumption] = self._list(
            "/sandbox/assumptions",
            query=dict(limit=limit, order=order),
        )
        return answer

    def recording(
        self,
        *,
        format: Optional[Literal["json", "curl", "vitest", "pytest"]] = None,
    ) -> str:
        """Export a recording of the sandbox. Exports the calls since the sandbox was created or
        reset that may have changed something, as a script or a test. It creates a new sandbox and
        repeats the calls, which gives the same state. A test for vitest or pytest calls methods of
        the library, compares statuses, amounts and codes of refusals, and counts requests from 1.
        In the shell script, after reads, a repeated call requests its original request id by the
        header Sandbox-Request-Id. Tokens and keys are replaced by those of the new sandbox; other
        secrets are masked. The recording is in memory, up to 10000 calls and 16777216 bytes.
        """
        answer: str = self._call(
            "GET",
            "/sandbox/recording",
            query=dict(format=format),
            is_text=True,
        )
        return answer

    def coverage(
        self,
        *,
        sandboxes: Optional[Literal["own", "all"]] = None,
        consumer: Optional[str] = None,
        how: Optional[Literal["true", "false"]] = None,
        min_operations: Optional[int] = None,
        min_statuses: Optional[int] = None,
        min_media: Optional[int] = None,
        min_error_codes: Optional[int] = None,
        min_transitions: Optional[int] = None,
        min_settings: Optional[int] = None,
        min_assumptions: Optional[int] = None,
    ) -> Coverage:
        """Retrieve the coverage. Returns which operations, statuses, transitions and so on of /v1
        were used, in total and for each value of the header Sandbox-Consumer, and which no consumer
        used. It is counted in memory, from the start of the process or from the last deletion of
        the coverage; a reset does not change it. The first 100 consumers are counted separately.
        The field `ok` says whether all thresholds are met; the status is 200 in both cases. With
        `how`, the answer has commands that show what was not seen.
        """
        answer: Coverage = self._call(
            "GET",
            "/sandbox/coverage",
            query=dict(
                sandboxes=sandboxes,
                consumer=consumer,
                how=how,
                min_operations=min_operations,
                min_statuses=min_statuses,
                min_media=min_media,
                min_error_codes=min_error_codes,
                min_transitions=min_transitions,
                min_settings=min_settings,
                min_assumptions=min_assumptions,
            ),
        )
        return answer

    def clear_coverage(self, *, sandboxes: Optional[Literal["own", "all"]] = None) -> None:
        """Delete the coverage. Deletes the coverage. Counting begins again at zero."""
        self._call("DELETE", "/sandbox/coverage", query=dict(sandboxes=sandboxes))

    def audit(self) -> Audit:
        """Audit the sandbox. Checks all invariants over the records of the sandbox, and lists each
        record that violates one.
        """
        answer: Audit = self._call("GET", "/sandbox/audit")
        return answer


class Checkpoints(Resource):
    def create(self, **fields: Unpack[CheckpointCreate]) -> Checkpoint:
        """Create a checkpoint. Saves the current state of the sandbox under a name. A sandbox has
        at most 100 checkpoints.
        """
        answer: Checkpoint = self._call("POST", "/sandbox/checkpoints", body=fields)
        return answer

    def restore(self, name: str) -> SandboxSummary:
        """Return to a checkpoint. Restores the state of the checkpoint: clock, records, payment
        outcomes, settings, tokens and events, and one event that records the restore. All
        checkpoints are kept, also later ones.
        """
        answer: SandboxSummary = self._call(
            "POST",
            f"/sandbox/checkpoints/{segment('name', name)}/restore",
        )
        return answer

    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Checkpoint]:
        """List checkpoints. Lists the records, by default the oldest first."""
        answer: List[Checkpoint] = self._list(
            "/sandbox/checkpoints",
            query=dict(limit=limit, order=order),
        )
        return answer

    def get(self, name: str) -> Checkpoint:
        """Retrieve a checkpoint. Returns the checkpoint: its virtual instant, and the number of its
        records.
        """
        answer: Checkpoint = self._call("GET", f"/sandbox/checkpoints/{segment('name', name)}")
        return answer

    def delete(self, name: str) -> None:
        """Delete a checkpoint. Deletes the checkpoint. The sandbox itself stays as it is, and so do
        forks that began there.
        """
        self._call("DELETE", f"/sandbox/checkpoints/{segment('name', name)}")


class ClockMethods(Resource):
    def get(self) -> Clock:
        """Read the virtual clock. Returns the virtual now, whether the clock runs, and the next due
        item.
        """
        answer: Clock = self._call("GET", "/sandbox/clock")
        return answer

    def set(self, **fields: Unpack[ClockSet]) -> Clock:
        """Set the virtual clock. Moves the clock to `now`, settles what falls due on the way, and
        then freezes the clock or lets it run. Where an advance would stop before `now`, the clock
        does too, and `mode` stays as it is. A running clock follows real time from its current
        instant.
        """
        answer: Clock = self._call("PUT", "/sandbox/clock", body=fields)
        return answer


class Products(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Product]:
        """List products. Lists the records, by default the oldest first."""
        answer: List[Product] = self._list(
            "/sandbox/products",
            query=dict(limit=limit, order=order),
        )
        return answer

    def create(self, **fields: Unpack[ProductCreate]) -> Product:
        """Create a product. Creates a product, which is checked as in a fixture."""
        answer: Product = self._call("POST", "/sandbox/products", body=fields)
        return answer

    def get(self, product_id: str) -> Product:
        """Retrieve a product. Returns the product as it is now."""
        answer: Product = self._call(
            "GET",
            f"/sandbox/products/{segment('product_id', product_id)}",
        )
        return answer

    def update(self, product_id: str, **fields: Unpack[ProductPatch]) -> Product:
        """Change a product. Changes fields of the product. An absent field is unchanged."""
        answer: Product = self._call(
            "PATCH",
            f"/sandbox/products/{segment('product_id', product_id)}",
            body=fields,
        )
        return answer

    def delete(self, product_id: str) -> None:
        """Delete a product. Deletes the product; refused while another record refers to it."""
        self._call("DELETE", f"/sandbox/products/{segment('product_id', product_id)}")


class Plans(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Plan]:
        """List plans. Lists the records, by default the oldest first."""
        answer: List[Plan] = self._list("/sandbox/plans", query=dict(limit=limit, order=order))
        return answer

    def create(self, **fields: Unpack[PlanCreate]) -> Plan:
        """Create a plan. Creates a plan, which is checked as in a fixture."""
        answer: Plan = self._call("POST", "/sandbox/plans", body=fields)
        return answer

    def get(self, plan_id: str) -> Plan:
        """Retrieve a plan. Returns the plan as it is now."""
        answer: Plan = self._call("GET", f"/sandbox/plans/{segment('plan_id', plan_id)}")
        return answer

    def update(self, plan_id: str, **fields: Unpack[PlanPatch]) -> Plan:
        """Change a plan. Changes fields of the plan. An absent field is unchanged."""
        answer: Plan = self._call(
            "PATCH",
            f"/sandbox/plans/{segment('plan_id', plan_id)}",
            body=fields,
        )
        return answer

    def delete(self, plan_id: str) -> None:
        """Delete a plan. Deletes the plan; refused while another record refers to it."""
        self._call("DELETE", f"/sandbox/plans/{segment('plan_id', plan_id)}")


class Customers(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        search: Optional[str] = None,
    ) -> List[Customer]:
        """List customers. Lists the records, by default the oldest first."""
        answer: List[Customer] = self._list(
            "/sandbox/customers",
            query=dict(limit=limit, order=order, search=search),
        )
        return answer

    def create(self, **fields: Unpack[CustomerCreate]) -> Customer:
        """Create a customer. Creates a customer, which is checked as in a fixture."""
        answer: Customer = self._call("POST", "/sandbox/customers", body=fields)
        return answer

    def get(self, customer_id: str) -> Customer:
        """Retrieve a customer. Returns the customer as it is now."""
        answer: Customer = self._call(
            "GET",
            f"/sandbox/customers/{segment('customer_id', customer_id)}",
        )
        return answer

    def update(self, customer_id: str, **fields: Unpack[CustomerPatch]) -> Customer:
        """Change a customer. Changes fields of the customer. An absent field is unchanged."""
        answer: Customer = self._call(
            "PATCH",
            f"/sandbox/customers/{segment('customer_id', customer_id)}",
            body=fields,
        )
        return answer

    def delete(self, customer_id: str) -> None:
        """Delete a customer. Deletes the customer; refused while another record refers to it."""
        self._call("DELETE", f"/sandbox/customers/{segment('customer_id', customer_id)}")

    def forecast(
        self,
        customer_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        until: Optional[str] = None,
        for_: Optional[str] = None,
    ) -> Forecast:
        """Forecast the invoices of a customer. Forecasts the invoices of all subscriptions of the
        customer, as they are at the end of the look ahead, with their sums by currency. It runs on
        a copy, as the forecast of one subscription does.
        """
        answer: Forecast = self._call(
            "GET",
            f"/sandbox/customers/{segment('customer_id', customer_id)}/forecast",
            query=dict(limit=limit, after=after, until=until, **{"for": for_}),
        )
        return answer


class Coupons(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Coupon]:
        """List coupons. Lists the records, by default the oldest first."""
        answer: List[Coupon] = self._list("/sandbox/coupons", query=dict(limit=limit, order=order))
        return answer

    def create(self, **fields: Unpack[CouponCreate]) -> Coupon:
        """Create a coupon. Creates a coupon, which is checked as in a fixture."""
        answer: Coupon = self._call("POST", "/sandbox/coupons", body=fields)
        return answer

    def get(self, coupon_id: str) -> Coupon:
        """Retrieve a coupon. Returns the coupon as it is now."""
        answer: Coupon = self._call("GET", f"/sandbox/coupons/{segment('coupon_id', coupon_id)}")
        return answer

    def update(self, coupon_id: str, **fields: Unpack[CouponPatch]) -> Coupon:
        """Change a coupon. Changes fields of the coupon. An absent field is unchanged."""
        answer: Coupon = self._call(
            "PATCH",
            f"/sandbox/coupons/{segment('coupon_id', coupon_id)}",
            body=fields,
        )
        return answer

    def delete(self, coupon_id: str) -> None:
        """Delete a coupon. Deletes the coupon; refused while another record refers to it."""
        self._call("DELETE", f"/sandbox/coupons/{segment('coupon_id', coupon_id)}")


class Promotions(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Promotion]:
        """List promotions. Lists the records, by default the oldest first."""
        answer: List[Promotion] = self._list(
            "/sandbox/promotions",
            query=dict(limit=limit, order=order),
        )
        return answer

    def create(self, **fields: Unpack[PromotionCreate]) -> Promotion:
        """Create a promotion. Creates a promotion, which is checked as in a fixture."""
        answer: Promotion = self._call("POST", "/sandbox/promotions", body=fields)
        return answer

    def get(self, code: str) -> Promotion:
        """Retrieve a promotion. Returns the promotion as it is now."""
        answer: Promotion = self._call("GET", f"/sandbox/promotions/{segment('code', code)}")
        return answer

    def update(self, code: str, **fields: Unpack[PromotionPatch]) -> Promotion:
        """Change a promotion. Changes fields of the promotion. An absent field is unchanged."""
        answer: Promotion = self._call(
            "PATCH",
            f"/sandbox/promotions/{segment('code', code)}",
            body=fields,
        )
        return answer

    def delete(self, code: str) -> None:
        """Delete a promotion. Deletes the promotion."""
        self._call("DELETE", f"/sandbox/promotions/{segment('code', code)}")


class Subscriptions(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        customer_id: Optional[str] = None,
        status: Optional[Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]] = None,
        search: Optional[str] = None,
    ) -> List[SubscriptionRecord]:
        """List subscriptions. Lists the records, by default the oldest first."""
        answer: List[SubscriptionRecord] = self._list(
            "/sandbox/subscriptions",
            query=dict(
                limit=limit,
                order=order,
                customer_id=customer_id,
                status=status,
                search=search,
            ),
        )
        return answer

    def create(self, **fields: Unpack[Checkout]) -> SubscriptionRecord:
        """Create a subscription at checkout. Creates a subscription as on /v1, with a coupon, the
        code of a promotion, or neither.
        """
        answer: SubscriptionRecord = self._call("POST", "/sandbox/subscriptions", body=fields)
        return answer

    def get(self, subscription_id: str) -> SubscriptionRecord:
        """Retrieve a subscription. Returns the subscription as it is now."""
        answer: SubscriptionRecord = self._call(
            "GET",
            f"/sandbox/subscriptions/{segment('subscription_id', subscription_id)}",
        )
        return answer

    def update(self, subscription_id: str, **fields: Unpack[SubscriptionUpdate]) -> Subscription:
        """Change the plan of a subscription. An upgrade is prorated: only the difference is paid. A
        downgrade takes effect at the next billing cycle; until then it shows as `pending_plan`.
        """
        answer: Subscription = self._call(
            "POST",
            f"/v1/subscriptions/{segment('subscription_id', subscription_id)}/update",
            body=fields,
        )
        return answer

    def pause(self, subscription_id: str) -> Subscription:
        """Pause a subscription. Stops billing and keeps customer data. Only an active subscription
        can be paused. The interface shows no operation that resumes it; the control plane has
        `resumeSubscription`, POST /sandbox/subscriptions/{subscription_id}/resume.
        """
        answer: Subscription = self._call(
            "POST",
            f"/v1/subscriptions/{segment('subscription_id', subscription_id)}/pause",
        )
        return answer

    def resume(self, subscription_id: str) -> SubscriptionRecord:
        """Resume a paused subscription. Resumes a paused subscription. Its current period continues
        with the time that was left when it was paused.
        """
        answer: SubscriptionRecord = self._call(
            "POST",
            f"/sandbox/subscriptions/{segment('subscription_id', subscription_id)}/resume",
        )
        return answer

    def remove_scheduled_cancellation(self, subscription_id: str) -> SubscriptionRecord:
        """Remove a scheduled cancellation. Removes the cancellation at the end of the period:
        `cancel_at_period_end` is false again.
        """
        answer: SubscriptionRecord = self._call(
            "POST",
            f"/sandbox/subscriptions/{segment('subscription_id', subscription_id)}/remove-scheduled-cancellation",
        )
        return answer

    def cancel(self, subscription_id: str, **fields: Unpack[SubscriptionCancel]) -> Subscription:
        """Cancel a subscription. Cancels the subscription. With `at_period_end` true it ends at the
        end of the billing period, and access continues until then; otherwise it ends at once.
        """
        answer: Subscription = self._call(
            "POST",
            f"/v1/subscriptions/{segment('subscription_id', subscription_id)}/cancel",
            body=fields,
        )
        return answer

    def apply_coupon(self, subscription_id: str, **fields: Unpack[ApplyCoupon]) -> Subscription:
        """Apply a coupon to a subscription. The new coupon replaces the discounts that the
        subscription has, unless stacking is enabled.
        """
        answer: Subscription = self._call(
            "POST",
            f"/v1/subscriptions/{segment('subscription_id', subscription_id)}/apply-coupon",
            body=fields,
        )
        return answer

    def forecast(
        self,
        subscription_id: str,
        *,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        until: Optional[str] = None,
        for_: Optional[str] = None,
    ) -> Forecast:
        """Forecast the invoices of a subscription. Lists the invoices that the subscription will
        get until `until`, as they will be then. The clock does not move: the forecast is computed
        on a copy, while other calls are answered. The copy settles only the subscriptions of the
        same customer; numbers of future invoices can differ from those of an advance, and the
        records of other customers do not count toward the limits of the sandbox. While the whole
        sandbox has scripted payment outcomes, which all customers share, all subscriptions are
        settled until these are used up.
        """
        answer: Forecast = self._call(
            "GET",
            f"/sandbox/subscriptions/{segment('subscription_id', subscription_id)}/forecast",
            query=dict(limit=limit, after=after, until=until, **{"for": for_}),
        )
        return answer


class Invoices(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        subscription_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        status: Optional[Literal["open", "paid", "void", "uncollectible"]] = None,
    ) -> List[Invoice]:
        """List invoices. Lists the records, by default the oldest first."""
        answer: List[Invoice] = self._list(
            "/sandbox/invoices",
            query=dict(
                limit=limit,
                order=order,
                subscription_id=subscription_id,
                customer_id=customer_id,
                status=status,
            ),
        )
        return answer

    def get(self, invoice_id: str) -> Invoice:
        """Retrieve an invoice. Returns the invoice as it is now."""
        answer: Invoice = self._call(
            "GET",
            f"/sandbox/invoices/{segment('invoice_id', invoice_id)}",
        )
        return answer

    def pay(self, invoice_id: str) -> Invoice:
        """Attempt to pay an open or uncollectible invoice. Makes one payment attempt now, in
        addition to the retry schedule. A failed attempt is answered with status 200 as well;
        `attempts` has its outcome.
        """
        answer: Invoice = self._call(
            "POST",
            f"/sandbox/invoices/{segment('invoice_id', invoice_id)}/pay",
        )
        return answer

    def explain(self, invoice_id: str) -> Explanation:
        """Explain an invoice. Explains each amount of the invoice: its seconds, its fraction, and
        its rounding.
        """
        answer: Explanation = self._call(
            "GET",
            f"/sandbox/invoices/{segment('invoice_id', invoice_id)}/explain",
        )
        return answer


class Charges(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        customer_id: Optional[str] = None,
    ) -> List[Charge]:
        """List one-time charges. Lists the records, by default the oldest first."""
        answer: List[Charge] = self._list(
            "/sandbox/charges",
            query=dict(limit=limit, order=order, customer_id=customer_id),
        )
        return answer

    def create(self, **fields: Unpack[ChargeCreate]) -> Charge:
        """Charge a customer once. Charges a customer once. A failed payment is answered with status
        201 as well; the charge then has the status `failed`.
        """
        answer: Charge = self._call("POST", "/sandbox/charges", body=fields)
        return answer

    def get(self, charge_id: str) -> Charge:
        """Retrieve a charge. Returns the charge as it was made."""
        answer: Charge = self._call("GET", f"/sandbox/charges/{segment('charge_id', charge_id)}")
        return answer


class PaymentsMethods(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[PaymentScript]:
        """List the payment outcomes to come. Lists, for each scope, the scripted outcomes that are
        not used yet, and the outcome of all later attempts.
        """
        answer: List[PaymentScript] = self._list(
            "/sandbox/payment-outcomes",
            query=dict(limit=limit, order=order),
        )
        return answer

    def script(self, **fields: Unpack[PaymentOutcomesCreate]) -> PaymentScript:
        """Script payment outcomes. With `outcomes`: appends the outcomes of the next payment
        attempts to those of the same scope. With `always`: sets the outcome of all attempts without
        a scripted one.
        """
        answer: PaymentScript = self._call("POST", "/sandbox/payment-outcomes", body=fields)
        return answer

    def remove(self, **fields: Unpack[PaymentOutcomesRemove]) -> None:
        """Remove the payment outcomes of one scope. Deletes the scripted outcomes and the rule of
        one subscription, one customer, or the sandbox as a scope. Those of other scopes are
        unchanged.
        """
        self._call("POST", "/sandbox/payment-outcomes/remove", body=fields)

    def clear(self) -> None:
        """Clear all payment outcomes. Deletes the scripted outcomes and the rules of every scope."""
        self._call("DELETE", "/sandbox/payment-outcomes")


class TokensMethods(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[TokenFamily]:
        """List logins. Lists token families; the tokens themselves are never shown again."""
        answer: List[TokenFamily] = self._list(
            "/sandbox/tokens",
            query=dict(limit=limit, order=order),
        )
        return answer

    def issue(self, **fields: Unpack[TokenIssue]) -> IssuedTokens:
        """Issue the tokens of a login. Issues tokens, in place of the login or token exchange that
        the interface does not show.
        """
        answer: IssuedTokens = self._call("POST", "/sandbox/tokens", body=fields)
        return answer

    def revoke(self, **fields: Unpack[TokenRevoke]) -> TokenFamily:
        """Revoke every token of a login. Revokes the tokens of a login, by its family or by one of
        its refresh tokens.
        """
        answer: TokenFamily = self._call("POST", "/sandbox/tokens/revoke", body=fields)
        return answer


class Faults(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        unused: Optional[bool] = None,
    ) -> List[Fault]:
        """List the faults. Lists the faults, with how often each hit a call and how many hits are
        left. A call counts as soon as it starts; the count is stored together with its changes.
        """
        answer: List[Fault] = self._list(
            "/sandbox/faults",
            query=dict(limit=limit, order=order, unused=unused),
        )
        return answer

    def create(self, **fields: Unpack[FaultCreate]) -> Fault:
        """Make calls on /v1 fail. Creates a fault. The oldest fault that matches a call and is not
        used up hits it; each counts every call that matches it. For example, `times` 2 makes two
        calls fail, and later calls succeed. For a sequence of different failures create several
        faults. The header `Sandbox-Fault` of an answer names the fault that changed it. Calls whose
        key or access token is not valid are never hit.
        """
        answer: Fault = self._call("POST", "/sandbox/faults", body=fields)
        return answer

    def get(self, fault_id: str) -> Fault:
        """Retrieve a fault. Returns the fault, with how often it hit a call and how many hits are
        left.
        """
        answer: Fault = self._call("GET", f"/sandbox/faults/{segment('fault_id', fault_id)}")
        return answer

    def delete(self, fault_id: str) -> None:
        """Delete a fault. Deletes the fault; its identifier is not used again."""
        self._call("DELETE", f"/sandbox/faults/{segment('fault_id', fault_id)}")

    def clear(self) -> None:
        """Delete all faults. Deletes all faults, so that calls are answered without any."""
        self._call("DELETE", "/sandbox/faults")


class Events(Resource):
    def list(
        self,
        *,
        type: Optional[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]] = None,
        subject_kind: Optional[Literal["subscription", "invoice", "charge", "token_family", "sandbox"]] = None,
        subject_id: Optional[str] = None,
        subscription_id: Optional[List[str]] = None,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        after: Optional[int] = None,
    ) -> List[Event]:
        """List events. Lists what happened, with its cause and its virtual instant, by default the
        oldest first. The newest 100000 are kept; a list after an event that was dropped begins with
        the oldest one that is kept.
        """
        answer: List[Event] = self._list(
            "/sandbox/events",
            query=dict(
                type=type,
                subject_kind=subject_kind,
                subject_id=subject_id,
                subscription_id=subscription_id,
                limit=limit,
                order=order,
                after=after,
            ),
        )
        return answer


class Requests(Resource):
    def list(
        self,
        *,
        unmatched: Optional[Literal["", "true", "false"]] = None,
        operation_id: Optional[str] = None,
        status: Optional[int] = None,
        consumer: Optional[str] = None,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        after: Optional[int] = None,
    ) -> List[Request]:
        """List requests. Lists requests and their answers, by default the newest first, with
        secrets masked: every request on /v1, and on the control plane those that may change
        something or were refused. The newest 250 are kept, in memory; a reset drops them.
        """
        answer: List[Request] = self._list(
            "/sandbox/requests",
            query=dict(
                unmatched=unmatched,
                operation_id=operation_id,
                status=status,
                consumer=consumer,
                limit=limit,
                order=order,
                after=after,
            ),
        )
        return answer


class SettingsMethods(Resource):
    def get(self) -> Settings:
        """Read the settings. Returns the settings: the decisions of the sandbox that can be
        changed.
        """
        answer: Settings = self._call("GET", "/sandbox/settings")
        return answer

    def update(self, **fields: Unpack[SettingsPatch]) -> Settings:
        """Change settings. Changes settings. A new value applies when an amount or a date is next
        computed.
        """
        answer: Settings = self._call("PATCH", "/sandbox/settings", body=fields)
        return answer


class Webhooks(Resource):
    def list(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> List[Webhook]:
        """List webhooks. Lists webhooks, without their secrets."""
        answer: List[Webhook] = self._list(
            "/sandbox/webhooks",
            query=dict(limit=limit, order=order),
        )
        return answer

    def create(self, **fields: Unpack[WebhookCreate]) -> WebhookWithSecret:
        """Create a webhook. Creates a webhook. It receives what happens from now on, in order, one
        event at a time, signed according to Standard Webhooks. If an event gets no 2xx answer
        within 5 s, it is sent again after 0.5 s, 1 s, 2 s, 5 s, 10 s, up to 6 attempts in total;
        then the next event is sent. Other calls and other webhooks do not wait for it. A sandbox
        has at most 100 webhooks; they outlive a reset and a restore, and no fork, export or
        checkpoint has them.
        """
        answer: WebhookWithSecret = self._call("POST", "/sandbox/webhooks", body=fields)
        return answer

    def get(self, webhook_id: str) -> Webhook:
        """Retrieve a webhook. Returns the webhook, without its secret."""
        answer: Webhook = self._call(
            "GET",
            f"/sandbox/webhooks/{segment('webhook_id', webhook_id)}",
        )
        return answer

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook. Deletes the webhook and its deliveries."""
        self._call("DELETE", f"/sandbox/webhooks/{segment('webhook_id', webhook_id)}")

    def deliveries(
        self,
        *,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
        webhook_id: Optional[str] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
    ) -> List[WebhookDelivery]:
        """List deliveries. Lists the deliveries to webhooks, by default the oldest first. The
        newest 1000 are kept.
        """
        answer: List[WebhookDelivery] = self._list(
            "/sandbox/webhooks/deliveries",
            query=dict(limit=limit, order=order, webhook_id=webhook_id, status=status),
        )
        return answer

    def redeliver(self, delivery_id: str) -> WebhookDelivery:
        """Redeliver an event. Makes one more attempt to deliver an event that was delivered before,
        or whose delivery has failed. It has the same identifier as before. The answer is the result
        of the attempt.
        """
        answer: WebhookDelivery = self._call(
            "POST",
            f"/sandbox/webhooks/deliveries/{segment('delivery_id', delivery_id)}/redeliver",
        )
        return answer

