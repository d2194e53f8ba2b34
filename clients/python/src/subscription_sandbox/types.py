# Written by `npm run python-client` from the declarations of the operations. Not to be edited.
"""What the sandbox answers and takes, as it is on the wire. Amounts are integers of minor units."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


Advance = TypedDict("Advance", {
    "from": "str",
    "to": "str",
    "stopped_because": "Literal['reached', 'condition_met', 'condition_not_met', 'item_limit', 'stopped', 'sandbox_full', 'receiver_loop', 'replaced']",
    "events": "List[Event]",
    "events_total": "int",
    "next_due": "Optional[DueItem]",
    "deliveries": "NotRequired[LockstepDeliveries]",
})


class Agenda(TypedDict):
    # The records, oldest first.
    data: List[AgendaItem]
    # Whether there are more.
    has_more: bool
    # What to send as `after` for the next page; null on the last.
    next_after: Optional[int]
    # Nothing that happens before this instant is missing up to the end of this page.
    complete_until: str
    # Why it looked no further: `reached` where it was asked to, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.
    stopped_because: Literal["reached", "item_limit", "sandbox_full"]


class AgendaItem(TypedDict):
    """Something that falls due, and what comes of it."""

    # When.
    at: str
    # What will happen.
    kind: Literal["trial_end", "period_end", "payment_retry"]
    subject: Subject
    # The subscription that it belongs to.
    subscription_id: str
    # The status that it leaves the subscription in, as things stand.
    status: str


class ApplyCoupon(TypedDict):
    # Identifier of the coupon.
    coupon_id: str


class Assumption(TypedDict):
    # Its name, as the header Sandbox-Assumptions prints it.
    slug: str
    # The section of the interface that leaves it open.
    section: str
    # What is left open.
    question: str
    # What the sandbox does.
    choice: str
    # The key in settings, or null if fixed.
    setting: Optional[str]
    # What the setting accepts, or null.
    options: Optional[str]
    # What it does where the setting `vary` names it; null if it cannot.
    otherwise: Optional[str]
    # What the header Sandbox-Warnings says where an answer rests on it; null for most.
    warning: Optional[str]


class Audit(TypedDict):
    """Whether the books are in order."""

    # Whether every promise holds.
    ok: bool
    # How many records were checked, by kind.
    checked: Dict[str, int]
    # Every promise that was checked.
    invariants: List[AuditInvariant]
    # Every violation; empty where there is none.
    violations: List[AuditViolation]


class AuditInvariant(TypedDict):
    # Its name.
    invariant: Literal["invoice_totals", "invoice_payment", "customer_balance", "subscription_status", "subscription_periods", "nothing_overdue", "event_stream"]
    # What it promises.
    promise: str


class AuditViolation(TypedDict):
    # The promise that is broken.
    invariant: Literal["invoice_totals", "invoice_payment", "customer_balance", "subscription_status", "subscription_periods", "nothing_overdue", "event_stream"]
    # The record that breaks it.
    id: str
    # How.
    message: str


class Charge(TypedDict):
    """A one-time charge."""

    # Its identifier.
    charge_id: str
    # Who pays.
    customer_id: str
    # What was asked, before discounts.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str
    # The coupon that was redeemed, or null.
    coupon_id: Optional[str]
    # What the coupon took off.
    discount_total: int
    # What was left to pay.
    amount_due: int
    # How the payment went.
    status: Literal["succeeded", "failed"]
    # Why it failed, or null.
    failure_reason: Optional[Literal["card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]
    # When it was made.
    created_at: str


class ChargeCreate(TypedDict):
    customer_id: str
    amount: int
    currency: Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]
    coupon_id: NotRequired[str]


class Checkout(TypedDict):
    # Identifier of the customer.
    customer_id: str
    # Identifier of the pricing plan.
    plan: str
    # Number of trial days, 0 to 730; 0 means no trial.
    trial_period_days: NotRequired[int]
    # Identifier of the coupon.
    coupon_id: NotRequired[str]
    # The code of a promotion, in place of a coupon.
    promotion_code: NotRequired[str]


class Checkpoint(TypedDict):
    # What the moment is called.
    name: str
    # The virtual now that it returns to.
    now: str
    # The number of the last event before it; 0 before the first.
    event_seq: int
    # How many records it holds, by kind.
    counts: Dict[str, int]


class CheckpointCreate(TypedDict):
    # What the moment is called.
    name: str


class Clock(TypedDict):
    """Where the virtual clock stands."""

    # The virtual now.
    now: str
    # Whether time passes by itself.
    mode: Literal["frozen", "running"]
    next_due: Optional[DueItem]


class ClockSet(TypedDict):
    # Where the clock moves to first; what falls due on the way is settled. The clock goes no further than 9000-01-01T00:00:00.000Z.
    now: NotRequired[str]
    # Whether time passes by itself.
    mode: NotRequired[Literal["frozen", "running"]]


class Coupon(TypedDict):
    """A rule for a discount."""

    # Identifier chosen for the coupon.
    coupon_id: str
    # What `value` means.
    type: Literal["percentage", "fixed", "trial_extension"]
    # The percent, an amount of minor units, or days, by `type`.
    value: float
    # Of a fixed one, else null.
    currency: Optional[str]
    # How long its discount lasts; null for a trial extension.
    duration: Optional[Literal["once", "repeating", "forever"]]
    # The months of a repeating one, else null.
    duration_in_months: Optional[int]
    # How often it can be redeemed; null without limit.
    max_redemptions: Optional[int]
    # From when on it cannot be redeemed; null for never.
    expires_at: Optional[str]
    # The plans it is limited to, or null.
    applies_to_plans: Optional[List[str]]
    # The products it is limited to, or null.
    applies_to_products: Optional[List[str]]
    # Whether it stands beside other stackable discounts.
    stackable: bool
    # How often it was redeemed; never given back.
    times_redeemed: int


class CouponCreate(TypedDict):
    # Identifier chosen for the coupon.
    coupon_id: str
    type: Literal["percentage", "fixed", "trial_extension"]
    # The percent, with at most 4 decimals.
    value: float
    # "once" where absent.
    duration: NotRequired[Literal["once", "forever", "repeating"]]
    max_redemptions: NotRequired[int]
    expires_at: NotRequired[str]
    applies_to_plans: NotRequired[List[str]]
    applies_to_products: NotRequired[List[str]]
    # false where absent.
    stackable: NotRequired[bool]
    duration_in_months: NotRequired[int]
    currency: NotRequired[Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]]


class CouponPatch(TypedDict):
    max_redemptions: NotRequired[Optional[int]]
    expires_at: NotRequired[Optional[str]]
    applies_to_plans: NotRequired[Optional[List[str]]]
    applies_to_products: NotRequired[Optional[List[str]]]
    stackable: NotRequired[bool]


class Coverage(TypedDict):
    """What of /v1 was asked for."""

    # Whether every threshold is met.
    ok: bool
    # The thresholds that were asked for.
    thresholds: List[CoverageThreshold]
    # The calls of documented operations.
    calls: int
    # Requests on /v1 that no operation fits.
    unmatched: int
    # How much of the documented surface was seen.
    measures: CoverageMeasures
    # What was seen, and how often.
    seen: CoverageSeen
    # What no consumer uses, by measure.
    unseen: CoverageUnseen
    # The same for each consumer.
    consumers: List[CoverageConsumer]


class CoverageConsumer(TypedDict):
    # Whose calls these are: of one consumer, without the header, or of all consumers beyond the first 100.
    kind: Literal["named", "unnamed", "others"]
    # The header Sandbox-Consumer; null where it is none or many.
    consumer: Optional[str]
    # The calls of documented operations.
    calls: int
    # Requests on /v1 that no operation fits.
    unmatched: int
    # How much of the documented surface was seen.
    measures: CoverageConsumerMeasures
    # What was seen, and how often.
    seen: CoverageConsumerSeen


class CoverageConsumerMeasures(TypedDict):
    """How much of the documented surface was seen."""

    # operations that were asked for
    operations: CoverageMeasure
    # statuses of operations that were answered
    statuses: CoverageMeasure
    # ways to write the body of an operation that were taken
    media: CoverageMeasure
    # error codes that were answered
    error_codes: CoverageMeasure
    # moves between statuses that a subscription made
    transitions: CoverageMeasure
    # settings that had another value than the initial one in a call
    settings: CoverageMeasure
    # assumptions that an answer rested on
    assumptions: CoverageMeasure


class CoverageConsumerSeen(TypedDict):
    """What was seen, and how often."""

    answers: List[CoverageConsumerSeenAnswer]
    error_codes: List[CoverageConsumerSeenErrorCode]
    transitions: List[CoverageConsumerSeenTransition]
    settings: List[CoverageConsumerSeenSetting]
    assumptions: List[CoverageConsumerSeenAssumption]


class CoverageConsumerSeenAnswer(TypedDict):
    # The operation.
    operation_id: str
    # The status of the answer.
    status: int
    # How the body of the request was written.
    media: Literal["json", "form", "none", "other"]
    # How often.
    calls: int


class CoverageConsumerSeenAssumption(TypedDict):
    slug: str
    # How often.
    calls: int


class CoverageConsumerSeenErrorCode(TypedDict):
    code: str
    # How often.
    calls: int


class CoverageConsumerSeenSetting(TypedDict):
    # The key in settings.
    setting: str
    value: Any
    # How often.
    calls: int


CoverageConsumerSeenTransition = TypedDict("CoverageConsumerSeenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "times": "int",
})


class CoverageMeasure(TypedDict):
    # How many were seen.
    seen: int
    # How many there are.
    of: int
    # The share, cut to one decimal.
    percent: float


class CoverageMeasures(TypedDict):
    """How much of the documented surface was seen."""

    # operations that were asked for
    operations: CoverageMeasure
    # statuses of operations that were answered
    statuses: CoverageMeasure
    # ways to write the body of an operation that were taken
    media: CoverageMeasure
    # error codes that were answered
    error_codes: CoverageMeasure
    # moves between statuses that a subscription made
    transitions: CoverageMeasure
    # settings that had another value than the initial one in a call
    settings: CoverageMeasure
    # assumptions that an answer rested on
    assumptions: CoverageMeasure


class CoverageSeen(TypedDict):
    """What was seen, and how often."""

    answers: List[CoverageSeenAnswer]
    error_codes: List[CoverageSeenErrorCode]
    transitions: List[CoverageSeenTransition]
    settings: List[CoverageSeenSetting]
    assumptions: List[CoverageSeenAssumption]


class CoverageSeenAnswer(TypedDict):
    # The operation.
    operation_id: str
    # The status of the answer.
    status: int
    # How the body of the request was written.
    media: Literal["json", "form", "none", "other"]
    # How often.
    calls: int


class CoverageSeenAssumption(TypedDict):
    slug: str
    # How often.
    calls: int


class CoverageSeenErrorCode(TypedDict):
    code: str
    # How often.
    calls: int


class CoverageSeenSetting(TypedDict):
    # The key in settings.
    setting: str
    value: Any
    # How often.
    calls: int


CoverageSeenTransition = TypedDict("CoverageSeenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "times": "int",
})


class CoverageThreshold(TypedDict):
    measure: Literal["operations", "statuses", "media", "error_codes", "transitions", "settings", "assumptions"]
    # The least percentage, as it was asked for.
    min: int
    # What was reached.
    percent: float
    # Whether it is met.
    ok: bool


class CoverageUnseen(TypedDict):
    """What no consumer uses, by measure."""

    operations: List[str]
    statuses: List[CoverageUnseenStatuse]
    media: List[CoverageUnseenMedia]
    error_codes: List[str]
    transitions: List[CoverageUnseenTransition]
    settings: List[str]
    assumptions: List[str]


class CoverageUnseenMedia(TypedDict):
    # The operation.
    operation_id: str
    # How the body of the request was written.
    media: Literal["json", "form", "none", "other"]


class CoverageUnseenStatuse(TypedDict):
    # The operation.
    operation_id: str
    # The status of the answer.
    status: int


CoverageUnseenTransition = TypedDict("CoverageUnseenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
})


class Customer(TypedDict):
    """Who is billed."""

    # Its identifier.
    customer_id: str
    # The name, or null.
    name: Optional[str]
    # The address, or null.
    email: Optional[str]
    # The currency of all its bills; null until the first.
    currency: Optional[str]
    # Whether the customer can pay.
    payment_method: Literal["valid", "none"]
    # What we owe the customer, in minor units; the next invoices use it first.
    balance: int


class CustomerCreate(TypedDict):
    customer_id: NotRequired[str]
    name: NotRequired[str]
    email: NotRequired[str]
    currency: NotRequired[Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]]
    # Whether the customer can pay. "valid" where absent.
    payment_method: NotRequired[Literal["valid", "none"]]
    # What we owe the customer, in minor units; the next invoices use it first. 0 where absent.
    balance: NotRequired[int]


class CustomerPatch(TypedDict):
    name: NotRequired[Optional[str]]
    email: NotRequired[Optional[str]]
    # Whether the customer can pay.
    payment_method: NotRequired[Literal["valid", "none"]]
    # What we owe the customer, in minor units; the next invoices use it first.
    balance: NotRequired[int]


class Discount(TypedDict):
    # The coupon it came from.
    coupon_id: str
    # What `value` means.
    type: Literal["percentage", "fixed"]
    # The percent, or an amount of minor units, by `type`.
    value: float
    # How long it lasts.
    duration: Literal["once", "repeating", "forever"]
    # The months of a repeating one, else null.
    duration_in_months: Optional[int]
    # From when on it reduces invoices.
    starts_at: str
    # Until when a repeating one does, else null. An invoice at this very instant is covered if none at the start was.
    ends_at: Optional[str]


class DueItem(TypedDict):
    """Something that falls due."""

    # When.
    at: str
    # What will happen.
    kind: Literal["trial_end", "period_end", "payment_retry"]
    subject: Subject


class Event(TypedDict):
    """Something that happened."""

    # Its number; increases strictly within a sandbox.
    seq: int
    # What happened.
    type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]
    # When, in virtual time.
    at: str
    subject: Subject
    # What led to it.
    cause: EventCause
    # Facts by name; amounts in minor units.
    detail: Dict[str, Optional[Union[str, float, bool]]]


class EventCause(TypedDict):
    """What led to it."""

    kind: Literal["request", "clock"]
    # The request that led to it.
    request_id: Optional[str]


class Explanation(TypedDict):
    """How every amount came about."""

    invoice: Invoice
    lines: List[ExplanationLine]
    discounts: List[ExplanationDiscount]
    # How the amount due adds up.
    sum: str


class ExplanationDiscount(TypedDict):
    coupon_id: str
    type: Literal["percentage", "fixed"]
    value: float
    # What was left when its turn came.
    base: int
    # The exact amount, cut after nine decimals.
    unrounded: str
    amount: int
    remaining: int
    # All of it in one sentence.
    text: str


class ExplanationLine(TypedDict):
    kind: Literal["period", "proration_credit", "proration_charge"]
    plan_id: str
    amount: int
    # The price of the plan for the whole period.
    price: int
    # What was taken off that price before the share was taken.
    discounts: List[ExplanationLineDiscount]
    # The amount that the share was taken of.
    basis_amount: int
    seconds_remaining: Optional[str]
    seconds_in_period: Optional[str]
    # The share, as a fraction of seconds.
    fraction: Optional[str]
    # The exact amount, cut after nine decimals.
    unrounded: str
    # What a credit was made smaller by.
    cut: int
    # All of it in one sentence.
    text: str


class ExplanationLineDiscount(TypedDict):
    coupon_id: str
    type: Literal["percentage", "fixed"]
    value: float
    # What was left when its turn came.
    base: int
    # The exact amount, cut after nine decimals.
    unrounded: str
    amount: int
    remaining: int
    # All of it in one sentence.
    text: str


class Fault(TypedDict):
    """Something that goes wrong on purpose with calls on /v1."""

    # Its identifier.
    fault_id: str
    # Which calls.
    match: FaultMatch
    # The first of the matching calls that it may hit.
    nth: int
    # How many calls it hits; null for all.
    times: Optional[int]
    # How likely it hits a matching call.
    probability: float
    # What decides which.
    seed: int
    # Before the operation or after it.
    when: Literal["before", "after"]
    # What goes wrong.
    effect: FaultEffect
    # How many calls matched it, until it was used up.
    matched: int
    # How many calls it hit.
    used: int
    # How many more it hits; null for no end.
    left: Optional[int]


class FaultCreate(TypedDict):
    # Which calls; absent for all. {} where absent.
    match: NotRequired[FaultMatchCreate]
    # The number of the matching call that it hits.
    nth: NotRequired[int]
    # How many calls it hits, from `nth` on. Absent: one with `nth`, else all.
    times: NotRequired[int]
    # How likely it hits a matching call; the seed decides which. 1 where absent.
    probability: NotRequired[float]
    # The same seed hits the same calls. 0 where absent.
    seed: NotRequired[int]
    # Before the operation, which is then not carried out where the fault answers or drops; or after it, when everything is done and committed. Absent: `before`, but `after` where the answer of the operation itself is damaged.
    when: NotRequired[Literal["before", "after"]]
    effect: FaultEffectCreate


class FaultEffect(TypedDict):
    """What goes wrong."""

    # Answers with this status. Absent where the operation answers.
    status: Optional[int]
    # The body beside the status; absent: the error body of the interface for 400, 401 and 403, and none for others.
    body: Optional[Union[str, Dict[str, Any]]]
    # Headers beside the status, such as `Retry-After`.
    headers: Dict[str, str]
    # How long the call is held up, in real time: before the operation, or after it.
    delay_ms: int
    # How long the body takes to come, byte by byte, in real time.
    slow_ms: int
    # Closes the connection without an answer.
    drop: bool
    # Closes the connection in the middle of the body.
    cut: bool
    # Leaves out the end of the body, so that it is no JSON any more.
    malformed: bool


class FaultEffectCreate(TypedDict):
    """What goes wrong: at least one of its fields."""

    # Answers with this status. Absent where the operation answers.
    status: NotRequired[int]
    # The body beside the status; absent: the error body of the interface for 400, 401 and 403, and none for others.
    body: NotRequired[Union[str, Dict[str, Any]]]
    # Headers beside the status, such as `Retry-After`.
    headers: NotRequired[Dict[str, str]]
    # How long the call is held up, in real time: before the operation, or after it. 0 where absent.
    delay_ms: NotRequired[int]
    # How long the body takes to come, byte by byte, in real time. 0 where absent.
    slow_ms: NotRequired[int]
    # Closes the connection without an answer. false where absent.
    drop: NotRequired[bool]
    # Closes the connection in the middle of the body. false where absent.
    cut: NotRequired[bool]
    # Leaves out the end of the body, so that it is no JSON any more. false where absent.
    malformed: NotRequired[bool]


class FaultMatch(TypedDict):
    """Which calls."""

    # The operation, or null for all.
    operation: Optional[str]
    # The header, or null.
    header: Optional[FaultMatchHeader]
    # The field of the body, or null.
    field: Optional[FaultMatchField]


class FaultMatchCreate(TypedDict):
    # An operation on /v1 by its operationId; absent for all of them.
    operation: NotRequired[str]
    # A header that the call must have; not one that carries a secret.
    header: NotRequired[FaultMatchCreateHeader]
    # A field that the body must have; not one that carries a secret.
    field: NotRequired[FaultMatchCreateField]


class FaultMatchCreateField(TypedDict):
    """A field that the body must have; not one that carries a secret."""

    name: str
    value: Union[str, float, bool]


class FaultMatchCreateHeader(TypedDict):
    """A header that the call must have; not one that carries a secret."""

    name: str
    value: str


class FaultMatchField(TypedDict):
    """The field of the body, or null."""

    name: str
    value: str


class FaultMatchHeader(TypedDict):
    """The header, or null."""

    name: str
    value: str


class Fixture(TypedDict):
    # What it was exported from.
    description: str
    state: NotRequired[Dict[str, Any]]
    # The virtual now.
    now: NotRequired[str]
    # The settings that are not as usual.
    settings: NotRequired[Dict[str, Any]]
    # The further API keys.
    api_keys: NotRequired[List[Dict[str, Any]]]
    # The products.
    products: NotRequired[List[Dict[str, Any]]]
    # The plans.
    plans: NotRequired[List[Dict[str, Any]]]
    # The customers.
    customers: NotRequired[List[Dict[str, Any]]]
    # The coupons, as if nobody had redeemed them.
    coupons: NotRequired[List[Dict[str, Any]]]
    # The promotions, likewise.
    promotions: NotRequired[List[Dict[str, Any]]]


class Forecast(TypedDict):
    # The records, oldest first.
    data: List[Invoice]
    # Whether there are more.
    has_more: bool
    # What to send as `after` for the next page; null on the last.
    next_after: Optional[str]
    # Nothing that happens before this instant is missing up to the end of this page.
    complete_until: str
    # Why it looked no further: `reached` where it was asked to, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.
    stopped_because: Literal["reached", "item_limit", "sandbox_full"]


class Hold(TypedDict):
    # Its `operationId`, or the page of the dashboard; null where several were under way, or none, such as for a running clock.
    operation: Optional[str]
    # How long it was, in real milliseconds.
    ms: int
    # When it ended, in real time.
    at: str


class Invoice(TypedDict):
    """What a customer is asked to pay at one moment."""

    # Its identifier.
    invoice_id: str
    # What it bills.
    subscription_id: str
    # Who pays.
    customer_id: str
    # Why it was made.
    reason: Literal["period", "proration"]
    # Whether it is paid.
    status: Literal["open", "paid", "void", "uncollectible"]
    # The ISO 4217 code of the currency.
    currency: str
    # What is billed.
    lines: List[InvoiceLine]
    # What was taken off, in the order computed.
    discounts: List[InvoiceDiscount]
    # The sum of the lines.
    subtotal: int
    # The sum of the discounts.
    discount_total: int
    # What the balance of the customer paid; negative where the invoice credits it.
    balance_used: int
    # subtotal - discount_total - balance_used.
    amount_due: int
    # What was collected.
    amount_paid: int
    # When it was made.
    created_at: str
    # When it was paid, or null.
    paid_at: Optional[str]
    # When the payment is tried again, or null.
    next_attempt_at: Optional[str]
    # Every payment attempt.
    attempts: List[InvoiceAttempt]


class InvoiceAttempt(TypedDict):
    # An instant: UTC, to the millisecond.
    at: str
    outcome: Literal["succeeded", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]


class InvoiceDiscount(TypedDict):
    coupon_id: str
    amount: int


class InvoiceLine(TypedDict):
    # What the amount is for.
    kind: Literal["period", "proration_credit", "proration_charge"]
    # The plan that is billed or credited.
    plan: str
    # Text for people.
    description: str
    # Minor units; negative for a credit.
    amount: int
    # From when on it covers.
    period_start: str
    # Until when, exclusive.
    period_end: str


class IssuedTokens(TypedDict):
    # New access token for later calls.
    access_token: str
    # Always Bearer.
    token_type: Literal["Bearer"]
    # Lifetime of the access token in seconds.
    expires_in: int
    # The refresh token.
    refresh_token: str
    # What to revoke the login by.
    family_id: str


class LockstepDeliveries(TypedDict):
    # How many receivers acknowledged.
    delivered: int
    # How many failed; none is tried again.
    failed: int
    # Those that failed, in order; the first 100.
    failures: List[LockstepDeliveriesFailure]
    # The webhooks that the advance went on without, after three attempts without an answer; they get what they missed in the background, afterwards.
    left_out: List[str]


class LockstepDeliveriesFailure(TypedDict):
    # To whom.
    webhook_id: str
    # Which delivery.
    delivery_id: str
    # The number of the event.
    event_seq: int
    # Why it failed.
    reason: str


class Money(TypedDict):
    """Sums, in minor units."""

    # What was collected, by invoices and by charges.
    paid: int
    # What open invoices ask for.
    due: int
    # What was given up.
    uncollectible: int
    # What customers have as balance, which invoices use first.
    balance: int


class MoneyDifference(TypedDict):
    """How much more than without the changes."""

    paid: int
    due: int
    uncollectible: int
    balance: int


class NearestOperation(TypedDict):
    # Its name in the documents.
    operation_id: str
    # Its method.
    method: str
    # Its path.
    path: str
    # What of the request is not as it should be.
    differs: List[Literal["method", "path"]]


class NewWebhook(TypedDict):
    # Its identifier.
    webhook_id: str
    # Where events are sent.
    url: str
    # The types that it is told of; null for all.
    event_types: Optional[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # The number of the last event that is over for it: delivered, given up, or before it was made.
    done_seq: int
    # How many events it was never told of, because it was so far behind that they were no longer kept: the newest 100000 are. Whatever their types.
    skipped: int
    # What deliveries are signed with; never answered again.
    secret: str


class PaymentOutcomesCreate(TypedDict):
    # What the next attempts answer, in order.
    outcomes: NotRequired[List[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]]
    # Whose payments; absent for all.
    subscription_id: NotRequired[str]
    # Whose payments.
    customer_id: NotRequired[str]
    # What every attempt answers from now on.
    always: NotRequired[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]


class PaymentScript(TypedDict):
    # Whose payments: one of the two; empty for all of the sandbox.
    scope: PaymentScriptScope
    # What is left, in order.
    outcomes: List[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]
    # The standing rule, or null.
    always: Optional[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]


class PaymentScriptScope(TypedDict):
    """Whose payments: one of the two; empty for all of the sandbox."""

    subscription_id: NotRequired[str]
    customer_id: NotRequired[str]


class Plan(TypedDict):
    """What a product costs, and how often."""

    # Its identifier.
    plan_id: str
    # The product it prices.
    product_id: str
    # Its name, as invoice lines print it.
    name: str
    # The price of one interval, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str
    # The unit of the billing interval.
    interval: Literal["day", "week", "month", "year"]
    # How many units one billing interval has.
    interval_count: int


class PlanCreate(TypedDict):
    plan_id: NotRequired[str]
    product_id: str
    name: str
    amount: int
    currency: Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]
    # The unit of the billing interval.
    interval: Literal["day", "week", "month", "year"]
    # How many units one billing interval has. 1 where absent.
    interval_count: NotRequired[int]


class PlanPatch(TypedDict):
    name: NotRequired[str]
    amount: NotRequired[int]


class Product(TypedDict):
    """What is sold."""

    # Its identifier.
    product_id: str
    # Its name.
    name: str


class ProductCreate(TypedDict):
    product_id: NotRequired[str]
    name: str


class ProductPatch(TypedDict):
    name: NotRequired[str]


class Promotion(TypedDict):
    """A code that stands for a coupon."""

    # What a customer types in.
    code: str
    # The coupon it stands for.
    coupon_id: str
    # From when on, or null.
    starts_at: Optional[str]
    # Until when, or null.
    expires_at: Optional[str]
    # How often, or null.
    max_redemptions: Optional[int]
    # How often it was redeemed; never given back.
    times_redeemed: int


class PromotionCreate(TypedDict):
    code: str
    coupon_id: str
    starts_at: NotRequired[str]
    expires_at: NotRequired[str]
    max_redemptions: NotRequired[int]


class PromotionPatch(TypedDict):
    starts_at: NotRequired[Optional[str]]
    expires_at: NotRequired[Optional[str]]
    max_redemptions: NotRequired[Optional[int]]


class Request(TypedDict):
    """A request and its answer."""

    # Its number; counts on through resets.
    number: int
    # The header Request-Id of its answer.
    request_id: str
    # The virtual now of its answer.
    at: str
    # How long it took, in real time.
    duration_ms: float
    # The header Sandbox-Consumer.
    consumer: Optional[str]
    # The operation; null where none fits method and path.
    operation_id: Optional[str]
    # Where no operation fits: the one that comes nearest.
    nearest: Optional[NearestOperation]
    # What was sent.
    request: RequestRequest
    # What was answered.
    answer: RequestAnswer
    # Why it was refused; null where it was not.
    refusal: Optional[RequestRefusal]
    # The assumptions that shaped the answer.
    assumptions: List[str]
    # The fault that shaped the answer.
    fault: Optional[str]
    # The events that it led to: the first 100.
    events: List[RequestEvent]


class RequestAnswer(TypedDict):
    """What was answered."""

    # The status; null where a fault closed the connection.
    status: Optional[int]
    # The media type.
    content_type: Optional[str]
    # As text, with secrets masked; null for none, and where it is too long to be kept.
    body: Optional[str]
    # Its length; null where it was not read.
    bytes: Optional[int]


class RequestEvent(TypedDict):
    seq: int
    type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]


class RequestRefusal(TypedDict):
    """Why it was refused; null where it was not."""

    # The code of the error.
    code: str
    # What is wrong, in words.
    message: str
    # The fields at fault.
    errors: List[RequestRefusalError]


class RequestRefusalError(TypedDict):
    field: str
    message: str


class RequestRequest(TypedDict):
    """What was sent."""

    # The method.
    method: str
    # Path and query.
    path: str
    # The headers, by name.
    headers: Dict[str, str]
    # As text, with secrets masked; null for none, and where it is too long to be kept.
    body: Optional[str]
    # Its length; null where it was not read.
    bytes: Optional[int]


class Sandbox(TypedDict):
    # Its identifier.
    sandbox_id: str
    # The API key that belongs to it.
    api_key: str
    # The virtual now.
    now: str


SandboxCreate = TypedDict("SandboxCreate", {
    "fixture": "NotRequired[str]",
    "now": "NotRequired[str]",
    "settings": "NotRequired[SettingsPatch]",
    "from": "NotRequired[SandboxCreateFrom]",
})


class SandboxCreateFrom(TypedDict):
    """What to fork: a sandbox as it is now, or at one of its checkpoints."""

    sandbox: str
    # Where to begin; as it is now where absent.
    checkpoint: NotRequired[str]


class SandboxDescription(TypedDict):
    # Its identifier.
    sandbox_id: str
    # The API key that belongs to it.
    api_key: str
    # The virtual now.
    now: str
    # How many records it holds, by kind.
    counts: Dict[str, int]
    next_due: Optional[DueItem]
    # The longest time for which each operation held the event loop of this process since it started, whatever the sandbox, the longest first; without those up to 20 ms. Null in a process that runs other code too, as with `startSandbox`. Real time: not repeatable.
    longest_holds: Optional[List[Hold]]


class SandboxReset(TypedDict):
    # Another world than its own.
    fixture: NotRequired[str]


class SandboxSummary(TypedDict):
    # Its identifier.
    sandbox_id: str
    # The API key that belongs to it.
    api_key: str
    # The virtual now.
    now: str
    # How many records it holds, by kind.
    counts: Dict[str, int]
    next_due: Optional[DueItem]


class Settings(TypedDict):
    """The assumptions that a sandbox can change."""

    # What is the paused state called? Accepts: 1 to 40 of a-z and _, and no other status name. Initially: paused
    paused_status_name: str
    # What becomes of a trial that ends when the customer has no payment method? Accepts: expire, past_due. Initially: Where its first invoice has something due, the subscription expires, and nothing is billed; where nothing is due, it becomes active.
    trial_end_without_payment_method: Literal["expire", "past_due"]
    # When is a failed payment retried? Accepts: ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most 3650 days, strictly ascending; [] for no retry. Initially: 1, 3, 5 and 7 days after the first failure of the invoice.
    retry_schedule: List[str]
    # What becomes of a subscription after its last failed retry? Accepts: cancel, keep_past_due. Initially: It is canceled at that instant; the invoice is uncollectible.
    after_retries: Literal["cancel", "keep_past_due"]
    # In which order do several discounts reduce one amount? Accepts: percentage_first, fixed_first, application. Initially: Percentages first, each on what is left, then fixed amounts, each in order of application.
    stacking_order: Literal["percentage_first", "fixed_first", "application"]
    # When do the months of a repeating coupon begin that is applied during a trial? Accepts: first_billing, application. Initially: When billing begins, at the actual end of the trial.
    coupon_months_start: Literal["first_billing", "application"]
    # Do the months of a repeating coupon run while the subscription is paused? Accepts: runs, stops. Initially: They keep running.
    coupon_months_during_pause: Literal["runs", "stops"]
    # What happens to a field that the operation does not document? Accepts: reject, ignore. Initially: The request is refused with 400 invalid_request.
    unknown_fields: Literal["reject", "ignore"]
    # Which status does invalid_grant have? Accepts: 400, 401, 403. Initially: 403
    invalid_grant_status: Literal[400, 401, 403]
    # How many seconds does an access token live? Accepts: an integer from 1 to 3162240000 (seconds). Initially: 3600
    access_token_lifetime: int
    # How many seconds does a refresh token live? Accepts: an integer from 1 to 3162240000 (seconds). Initially: 2592000, which is 30 days
    refresh_token_lifetime: int
    # When does a refresh answer carry a new refresh token? Accepts: rotate, keep. Initially: Always; the one that was used is revoked.
    refresh_rotation: Literal["rotate", "keep"]
    # What happens when a refresh token is presented that was already used? Accepts: true, false. Initially: invalid_grant, and every token of the same login is revoked.
    refresh_reuse_revokes_family: bool
    # For how long after its rotation does a used refresh token still count as unused? Accepts: an integer from 0 to 3162240000 (seconds). Initially: 0 seconds: a client that lost the answer has to log in again.
    refresh_reuse_leeway: int
    # The assumptions that the sandbox decides otherwise, as a service could that keeps to the interface; GET /sandbox/assumptions says how.
    vary: List[Literal["subscription-fields", "status-names", "paused-status-name", "trial-period-bounds", "trial-end-without-payment-method", "retry-schedule", "after-retries", "immediate-cancel-parameter", "coupon-refusals", "stacking-order", "coupon-months-start", "coupon-months-during-pause", "success-status", "json-bodies", "unknown-fields", "error-envelope", "error-codes", "method-not-allowed", "refresh-error-statuses", "invalid-grant-status", "access-token-lifetime", "refresh-token-lifetime", "refresh-rotation", "refresh-reuse-revokes-family", "refresh-reuse-leeway", "access-tokens-on-subscription-calls"]]
    # Whether a request on /v1 is refused that sends what the interface does not show, such as a field of its own, or JSON where it shows a form: it is answered 501 undocumented, with the assumption that it leans on.
    strict: bool


class SettingsPatch(TypedDict):
    # What is the paused state called? Accepts: 1 to 40 of a-z and _, and no other status name. Initially: paused
    paused_status_name: NotRequired[str]
    # What becomes of a trial that ends when the customer has no payment method? Accepts: expire, past_due. Initially: Where its first invoice has something due, the subscription expires, and nothing is billed; where nothing is due, it becomes active.
    trial_end_without_payment_method: NotRequired[Literal["expire", "past_due"]]
    # When is a failed payment retried? Accepts: ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most 3650 days, strictly ascending; [] for no retry. Initially: 1, 3, 5 and 7 days after the first failure of the invoice.
    retry_schedule: NotRequired[List[str]]
    # What becomes of a subscription after its last failed retry? Accepts: cancel, keep_past_due. Initially: It is canceled at that instant; the invoice is uncollectible.
    after_retries: NotRequired[Literal["cancel", "keep_past_due"]]
    # In which order do several discounts reduce one amount? Accepts: percentage_first, fixed_first, application. Initially: Percentages first, each on what is left, then fixed amounts, each in order of application.
    stacking_order: NotRequired[Literal["percentage_first", "fixed_first", "application"]]
    # When do the months of a repeating coupon begin that is applied during a trial? Accepts: first_billing, application. Initially: When billing begins, at the actual end of the trial.
    coupon_months_start: NotRequired[Literal["first_billing", "application"]]
    # Do the months of a repeating coupon run while the subscription is paused? Accepts: runs, stops. Initially: They keep running.
    coupon_months_during_pause: NotRequired[Literal["runs", "stops"]]
    # What happens to a field that the operation does not document? Accepts: reject, ignore. Initially: The request is refused with 400 invalid_request.
    unknown_fields: NotRequired[Literal["reject", "ignore"]]
    # Which status does invalid_grant have? Accepts: 400, 401, 403. Initially: 403
    invalid_grant_status: NotRequired[Literal[400, 401, 403]]
    # How many seconds does an access token live? Accepts: an integer from 1 to 3162240000 (seconds). Initially: 3600
    access_token_lifetime: NotRequired[int]
    # How many seconds does a refresh token live? Accepts: an integer from 1 to 3162240000 (seconds). Initially: 2592000, which is 30 days
    refresh_token_lifetime: NotRequired[int]
    # When does a refresh answer carry a new refresh token? Accepts: rotate, keep. Initially: Always; the one that was used is revoked.
    refresh_rotation: NotRequired[Literal["rotate", "keep"]]
    # What happens when a refresh token is presented that was already used? Accepts: true, false. Initially: invalid_grant, and every token of the same login is revoked.
    refresh_reuse_revokes_family: NotRequired[bool]
    # For how long after its rotation does a used refresh token still count as unused? Accepts: an integer from 0 to 3162240000 (seconds). Initially: 0 seconds: a client that lost the answer has to log in again.
    refresh_reuse_leeway: NotRequired[int]
    # The assumptions that the sandbox decides otherwise, as a service could that keeps to the interface; GET /sandbox/assumptions says how.
    vary: NotRequired[List[Literal["subscription-fields", "status-names", "paused-status-name", "trial-period-bounds", "trial-end-without-payment-method", "retry-schedule", "after-retries", "immediate-cancel-parameter", "coupon-refusals", "stacking-order", "coupon-months-start", "coupon-months-during-pause", "success-status", "json-bodies", "unknown-fields", "error-envelope", "error-codes", "method-not-allowed", "refresh-error-statuses", "invalid-grant-status", "access-token-lifetime", "refresh-token-lifetime", "refresh-rotation", "refresh-reuse-revokes-family", "refresh-reuse-leeway", "access-tokens-on-subscription-calls"]]]
    # Whether a request on /v1 is refused that sends what the interface does not show, such as a field of its own, or JSON where it shows a form: it is answered 501 undocumented, with the assumption that it leans on.
    strict: NotRequired[bool]


class Subject(TypedDict):
    kind: Literal["subscription", "invoice", "charge", "token_family", "sandbox"]
    id: str


class Subscription(TypedDict):
    """A customer holding a plan over time."""

    # Its identifier.
    subscription_id: str
    # The customer who is billed.
    customer_id: str
    # The pricing plan that is billed now.
    plan: str
    # The trial days asked for on create; null where none were.
    trial_period_days: Optional[int]
    # The state: `trialing`, `active`, `past_due`, `paused`, `canceled`, `expired`. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed.
    status: str
    # When the trial ends or ended; null without one.
    trial_end: Optional[str]
    # When the running period began.
    current_period_start: str
    # When it ends, exclusive; in a trial, the end of the trial.
    current_period_end: str
    # Whether it ends with the running period.
    cancel_at_period_end: bool
    # When its cancellation was last asked for; null where nobody did.
    canceled_at: Optional[str]
    # When it ended; null until then.
    ended_at: Optional[str]
    # The plan that takes effect at the next billing cycle, or null.
    pending_plan: Optional[str]
    # The discounts, in the order in which they were applied.
    discounts: List[Discount]
    # When it was created.
    created_at: str


class SubscriptionCancel(TypedDict):
    # Whether to end it with the running period; absent or false ends it at once (assumption immediate-cancel-parameter).
    at_period_end: NotRequired[bool]


class SubscriptionRecord(TypedDict):
    """A subscription as on /v1, and until when the customer has access."""

    # Its identifier.
    subscription_id: str
    # The customer who is billed.
    customer_id: str
    # The pricing plan that is billed now.
    plan: str
    # The trial days asked for on create; null where none were.
    trial_period_days: Optional[int]
    # The state: `trialing`, `active`, `past_due`, `paused`, `canceled`, `expired`. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed.
    status: str
    # When the trial ends or ended; null without one.
    trial_end: Optional[str]
    # When the running period began.
    current_period_start: str
    # When it ends, exclusive; in a trial, the end of the trial.
    current_period_end: str
    # Whether it ends with the running period.
    cancel_at_period_end: bool
    # When its cancellation was last asked for; null where nobody did.
    canceled_at: Optional[str]
    # When it ended; null until then.
    ended_at: Optional[str]
    # The plan that takes effect at the next billing cycle, or null.
    pending_plan: Optional[str]
    # The discounts, in the order in which they were applied.
    discounts: List[Discount]
    # When it was created.
    created_at: str
    # When the access of the customer ends or ended: the end of the subscription, the begin of a running pause, or the end of the period where a cancellation is scheduled; else null.
    access_until: Optional[str]


class SubscriptionUpdate(TypedDict):
    # Identifier of the pricing plan.
    plan: str


class TokenFamily(TypedDict):
    """Everything that stems from one login."""

    # Its identifier.
    family_id: str
    # The sandbox that issued it; it works in no other.
    issued_by: str
    # Who logged in, or null.
    subject: Optional[str]
    # When.
    issued_at: str
    # When it was revoked, or null.
    revoked_at: Optional[str]


class TokenIssue(TypedDict):
    # Who logs in, for the reader of the list.
    subject: NotRequired[str]


class TokenResponse(TypedDict):
    # New access token for later calls.
    access_token: str
    # Always Bearer.
    token_type: Literal["Bearer"]
    # Lifetime of the access token in seconds.
    expires_in: int
    # New refresh token; the one that was sent is then revoked.
    refresh_token: NotRequired[str]


class TokenRevoke(TypedDict):
    # The refresh token, issued at login or token exchange.
    refresh_token: NotRequired[str]
    family_id: NotRequired[str]


class Webhook(TypedDict):
    # Its identifier.
    webhook_id: str
    # Where events are sent.
    url: str
    # The types that it is told of; null for all.
    event_types: Optional[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # The number of the last event that is over for it: delivered, given up, or before it was made.
    done_seq: int
    # How many events it was never told of, because it was so far behind that they were no longer kept: the newest 100000 are. Whatever their types.
    skipped: int


class WebhookCreate(TypedDict):
    # Where events are sent, by POST: a server on this machine, unless the process was started for other hosts.
    url: str
    # Only those of these types; all where absent.
    event_types: NotRequired[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # What deliveries are signed with; made up where absent.
    secret: NotRequired[str]


class WebhookDelivery(TypedDict):
    # Its identifier.
    delivery_id: str
    # To whom.
    webhook_id: str
    # The number of the event.
    event_seq: int
    # What happened.
    event_type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]
    # How it went: `pending` while it is tried again, `failed` once it is given up, or where the last redelivery failed.
    status: Literal["pending", "delivered", "failed"]
    # How often it was tried.
    attempts: int
    # Why the last attempt failed; null where it did not.
    reason: Optional[str]


WhatIf = TypedDict("WhatIf", {
    "from": "str",
    "until": "str",
    "complete_until": "str",
    "stopped_because": "Literal['reached', 'item_limit', 'sandbox_full']",
    "money": "List[WhatIfMoney]",
    "customers": "List[WhatIfCustomer]",
    "customers_total": "int",
    "subscriptions": "List[WhatIfSubscription]",
    "subscriptions_total": "int",
    "invoices": "List[WhatIfInvoice]",
    "invoices_total": "int",
    "answers": "List[WhatIfAnswer]",
    "explanations": "List[Explanation]",
})


class WhatIfAnswer(TypedDict):
    """What a change was answered with."""

    operation: Literal["createSubscription", "updateSubscription", "pauseSubscription", "cancelSubscription", "applyCoupon", "createProduct", "changeProduct", "deleteProduct", "createPlan", "changePlan", "deletePlan", "createCustomer", "changeCustomer", "deleteCustomer", "createCoupon", "changeCoupon", "deleteCoupon", "createPromotion", "changePromotion", "deletePromotion", "createSubscriptionAtCheckout", "resumeSubscription", "removeScheduledCancellation", "payInvoice", "createCharge", "scriptPaymentOutcomes", "clearPaymentOutcomes", "changeSettings"]
    # Null where that operation answers no body.
    body: Optional[Union[Subscription, Product, Plan, Customer, Coupon, Promotion, SubscriptionRecord, Invoice, Charge, PaymentScript, Settings]]


class WhatIfCustomer(TypedDict):
    customer_id: str
    # The ISO 4217 code of the currency.
    currency: str
    as_is: Money
    changed: Money
    difference: MoneyDifference


class WhatIfInvoice(TypedDict):
    # What it bills.
    subscription_id: str
    # Who pays.
    customer_id: str
    # Why it was made.
    reason: Literal["period", "proration"]
    # The ISO 4217 code of the currency.
    currency: str
    # When it was made.
    created_at: str
    # Null where it is not made.
    as_is: Optional[WhatIfInvoiceSide]
    # Null where it is not made.
    changed: Optional[WhatIfInvoiceSide]


class WhatIfInvoiceSide(TypedDict):
    """An invoice as it ends."""

    # Its identifier.
    invoice_id: str
    # Whether it is paid.
    status: Literal["open", "paid", "void", "uncollectible"]
    # The sum of the lines.
    subtotal: int
    # The sum of the discounts.
    discount_total: int
    # What the balance of the customer paid; negative where the invoice credits it.
    balance_used: int
    # subtotal - discount_total - balance_used.
    amount_due: int
    # What was collected.
    amount_paid: int
    # When it was paid, or null.
    paid_at: Optional[str]


class WhatIfMoney(TypedDict):
    # The ISO 4217 code of the currency.
    currency: str
    as_is: Money
    changed: Money
    difference: MoneyDifference


class WhatIfSubscription(TypedDict):
    subscription_id: str
    customer_id: str
    # Null where it is not there.
    as_is: Optional[str]
    # Null where it is not there.
    changed: Optional[str]
