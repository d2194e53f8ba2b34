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
    """One page of the items that will fall due."""

    # The records, in the order of the list.
    data: List[AgendaItem]
    # Whether the list has more records after this page.
    has_more: bool
    # The cursor to send as `after` for the next page; null on the last page.
    next_after: Optional[int]
    # The instant before which nothing is missing, up to the end of this page.
    complete_until: str
    # Why the look ahead ended: `reached` at the requested instant, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.
    stopped_because: Literal["reached", "item_limit", "sandbox_full"]


class AgendaItem(TypedDict):
    """An item that will fall due, and the status that follows."""

    # The virtual instant at which the item falls due.
    at: str
    # The kind of the item: the end of a trial, the end of a period, or a retry of a payment.
    kind: Literal["trial_end", "period_end", "payment_retry"]
    # The record that falls due.
    subject: Subject
    # The identifier of the subscription that the item belongs to.
    subscription_id: str
    # The status of the subscription after the item, if nothing changes until then.
    status: Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]
    # The plan of the subscription after the item.
    plan: str
    # The amount due of the invoice that the item makes, or whose payment it tries again, in minor units; null if there is no invoice.
    amount_due: Optional[int]
    # What discounts take off the invoice, in minor units; null if there is no invoice.
    discount_total: Optional[int]
    # The ISO 4217 code of the currency of the amounts; null if there is no invoice.
    currency: Optional[str]
    # The status of the invoice after the item; null if there is no invoice.
    invoice_status: Optional[Literal["open", "paid", "void", "uncollectible"]]


class ApplyCoupon(TypedDict):
    """The coupon to apply."""

    # The identifier of the coupon.
    coupon_id: str


class Assumption(TypedDict):
    """An assumption: a question that the interface leaves open, and the decision."""

    # The name of the assumption, as the header Sandbox-Assumptions prints it.
    slug: str
    # The section of the interface that leaves the question open.
    section: str
    # The question that the interface leaves open.
    question: str
    # The decision of the sandbox.
    choice: str
    # The key of the setting that changes the decision; null if it cannot be changed.
    setting: Optional[str]
    # The values that the setting accepts, in words; null without a setting.
    options: Optional[str]
    # The decision of the sandbox if the setting `vary` contains the slug of the assumption; null if `vary` does not support it.
    otherwise: Optional[str]
    # The text of the header Sandbox-Warnings in an answer that uses the assumption; null without one.
    warning: Optional[str]


class Audit(TypedDict):
    """The result of an audit: whether the records of the sandbox agree with each other."""

    # Whether all invariants hold.
    ok: bool
    # How many records were checked, by kind.
    checked: Dict[str, int]
    # The invariants that were checked.
    invariants: List[AuditInvariant]
    # The violations that were found.
    violations: List[AuditViolation]


class AuditInvariant(TypedDict):
    # The name of the invariant.
    invariant: Literal["invoice_totals", "invoice_payment", "customer_balance", "subscription_status", "subscription_periods", "nothing_overdue", "event_stream"]
    # The invariant in words.
    promise: str


class AuditViolation(TypedDict):
    # The name of the violated invariant.
    invariant: Literal["invoice_totals", "invoice_payment", "customer_balance", "subscription_status", "subscription_periods", "nothing_overdue", "event_stream"]
    # The identifier of the record that violates it.
    id: str
    # The violation in words.
    message: str


class BillingTotal(TypedDict):
    """The sums of invoices in one currency, in minor units."""

    # The ISO 4217 code of the currency.
    currency: str
    # The sum of the amounts due of all invoices that are not void.
    total: int
    # The part of it that is paid, in minor units.
    paid: int
    # The part of it that is open, in minor units.
    due: int
    # The part of it that is uncollectible, in minor units.
    uncollectible: int


class Charge(TypedDict):
    """A one-time charge of a customer, outside of any subscription."""

    # The identifier of the charge.
    charge_id: str
    # The identifier of the customer who pays.
    customer_id: str
    # The amount before the discount, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str
    # The identifier of the coupon that the charge redeemed, or null.
    coupon_id: Optional[str]
    # The discount by the coupon, in minor units.
    discount_total: int
    # The amount after the discount, in minor units.
    amount_due: int
    # Whether the payment succeeded.
    status: Literal["succeeded", "failed"]
    # The reason why the payment failed, or null.
    failure_reason: Optional[Literal["card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]
    # The instant of the charge.
    created_at: str


class ChargeCreate(TypedDict):
    """The charge to create."""

    # The identifier of the customer.
    customer_id: str
    # The amount before the discount, in minor units.
    amount: int
    # The ISO 4217 code of the currency of the amount.
    currency: Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]
    # The coupon to redeem.
    coupon_id: NotRequired[str]


class ChargeFailedEvent(TypedDict):
    """POST /sandbox/charges made a one-time charge, and its payment failed."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["charge.failed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: ChargeFailedEventDetail


class ChargeFailedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The amount that was not paid, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str
    # Why the payment failed.
    reason: Literal["card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]


class ChargeSucceededEvent(TypedDict):
    """POST /sandbox/charges made a one-time charge, and its payment succeeded."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["charge.succeeded"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: ChargeSucceededEventDetail


class ChargeSucceededEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The amount that was paid, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str


class Checkout(TypedDict):
    # The identifier of the customer.
    customer_id: str
    # The identifier of the pricing plan.
    plan: str
    # The number of trial days, 0 to 730; 0 means no trial.
    trial_period_days: NotRequired[int]
    # The identifier of the coupon.
    coupon_id: NotRequired[str]
    # The code of a promotion, in place of a coupon.
    promotion_code: NotRequired[str]


class Checkpoint(TypedDict):
    """A checkpoint: a moment that the sandbox can return to."""

    # The name of the checkpoint.
    name: str
    # The virtual now of the checkpoint.
    now: str
    # The number of the last event before the checkpoint; 0 before the first event.
    event_seq: int
    # How many records there are, by kind.
    counts: Dict[str, int]


class CheckpointCreate(TypedDict):
    """The checkpoint to create."""

    # The name of the checkpoint.
    name: str


class Clock(TypedDict):
    """The virtual clock, and the next due item."""

    # The instant at which the virtual clock stands.
    now: str
    # frozen: the clock moves on request only. running: it follows real time.
    mode: Literal["frozen", "running"]
    # The item that falls due next; null if nothing will fall due.
    next_due: Optional[DueItem]


class ClockSet(TypedDict):
    """The instant and the mode to set."""

    # The instant to which the clock moves first; what falls due on the way is settled. The clock ends at 9000-01-01T00:00:00.000Z.
    now: NotRequired[str]
    # frozen: the clock moves on request only. running: it follows real time.
    mode: NotRequired[Literal["frozen", "running"]]


class Coupon(TypedDict):
    """A coupon: a rule for a discount or a longer trial."""

    # The identifier of the coupon.
    coupon_id: str
    # The type of the coupon, which says what `value` means.
    type: Literal["percentage", "fixed", "trial_extension"]
    # The discount by `type`: a percentage, an amount in minor units, or days of trial.
    value: float
    # The ISO 4217 code of the currency of a `fixed` coupon; null for other types.
    currency: Optional[str]
    # How long the discount lasts; null for a trial extension.
    duration: Optional[Literal["once", "repeating", "forever"]]
    # How many months the discount of a `repeating` coupon lasts; null for other durations.
    duration_in_months: Optional[int]
    # How often the coupon can be redeemed; null without a limit.
    max_redemptions: Optional[int]
    # The instant from which the coupon cannot be redeemed; null where it does not expire.
    expires_at: Optional[str]
    # The only plans that the coupon applies to, by identifier; null for all.
    applies_to_plans: Optional[List[str]]
    # The only products that the coupon applies to, by identifier; null for all.
    applies_to_products: Optional[List[str]]
    # Whether the discount can be combined with other stackable discounts. If not, a new coupon replaces it.
    stackable: bool
    # The number of redemptions. It never decreases.
    times_redeemed: int


class CouponCreate(TypedDict):
    # The identifier of the coupon, which you choose.
    coupon_id: str
    # The type of the coupon: always `percentage`.
    type: Literal["percentage", "fixed", "trial_extension"]
    # The percentage to take off, with at most 4 decimals.
    value: float
    # How long the discount lasts: for one invoice, or for all of them. Default: "once".
    duration: NotRequired[Literal["once", "forever", "repeating"]]
    # How often the coupon can be redeemed; absent without a limit.
    max_redemptions: NotRequired[int]
    # The instant from which the coupon cannot be redeemed; absent where it does not expire.
    expires_at: NotRequired[str]
    # The only plans that the coupon applies to, by identifier; absent for all.
    applies_to_plans: NotRequired[List[str]]
    # The only products that the coupon applies to, by identifier; absent for all.
    applies_to_products: NotRequired[List[str]]
    # Whether the discount can be combined with other stackable discounts. If not, a new coupon replaces it. Default: false.
    stackable: NotRequired[bool]
    # How many months the discount lasts.
    duration_in_months: NotRequired[int]
    # The ISO 4217 code of the currency of the amount.
    currency: NotRequired[Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]]


class CouponPatch(TypedDict):
    """The coupon with its changes. An absent field is unchanged; null removes a limit."""

    # How often the coupon can be redeemed; null without a limit.
    max_redemptions: NotRequired[Optional[int]]
    # The instant from which the coupon cannot be redeemed; null where it does not expire.
    expires_at: NotRequired[Optional[str]]
    # The only plans that the coupon applies to, by identifier; null for all.
    applies_to_plans: NotRequired[Optional[List[str]]]
    # The only products that the coupon applies to, by identifier; null for all.
    applies_to_products: NotRequired[Optional[List[str]]]
    # Whether the discount can be combined with other stackable discounts. If not, a new coupon replaces it.
    stackable: NotRequired[bool]


class Coverage(TypedDict):
    """The coverage: how much of /v1 was used."""

    # Whether every threshold is met.
    ok: bool
    # The thresholds of the request.
    thresholds: List[CoverageThreshold]
    # How many calls documented operations had.
    calls: int
    # How many requests on /v1 fit no operation.
    unmatched: int
    # How much of the documented surface was seen.
    measures: CoverageMeasures
    # What was seen, and how often.
    seen: CoverageSeen
    # What no consumer used, by measure.
    unseen: CoverageUnseen
    # How to see what no consumer used, for each unit that commands can show; empty unless `how` is true.
    how: List[CoverageHow]
    # The coverage of each consumer.
    consumers: List[CoverageConsumer]


class CoverageConsumer(TypedDict):
    # Whose calls these are: of one consumer, without the header, or of all consumers beyond the first 100.
    kind: Literal["named", "unnamed", "others"]
    # The header Sandbox-Consumer of the calls; null for calls without it, or of many consumers.
    consumer: Optional[str]
    # How many calls documented operations had.
    calls: int
    # How many requests on /v1 fit no operation.
    unmatched: int
    # How much of the documented surface was seen.
    measures: CoverageConsumerMeasures
    # What was seen, and how often.
    seen: CoverageConsumerSeen


class CoverageConsumerMeasures(TypedDict):
    """How much of the documented surface was seen."""

    # The operations that were called.
    operations: CoverageMeasure
    # The statuses of operations that were answered.
    statuses: CoverageMeasure
    # The media types of bodies of operations that were accepted.
    media: CoverageMeasure
    # The error codes that were answered.
    error_codes: CoverageMeasure
    # The transitions between statuses that a subscription made.
    transitions: CoverageMeasure
    # The settings that had another value than the initial one in a call.
    settings: CoverageMeasure
    # The assumptions that an answer used.
    assumptions: CoverageMeasure


class CoverageConsumerSeen(TypedDict):
    """What was seen, and how often."""

    # The answers by operation, status and media type.
    answers: List[CoverageConsumerSeenAnswer]
    # The error codes.
    error_codes: List[CoverageConsumerSeenErrorCode]
    # The transitions of subscriptions.
    transitions: List[CoverageConsumerSeenTransition]
    # The settings with another value than the initial one.
    settings: List[CoverageConsumerSeenSetting]
    # The assumptions of the answers.
    assumptions: List[CoverageConsumerSeenAssumption]


class CoverageConsumerSeenAnswer(TypedDict):
    # The `operationId` of the operation.
    operation_id: str
    # The status of the answer.
    status: int
    # The media type of the body of the request.
    media: Literal["json", "form", "none", "other"]
    # The number of times that it was seen.
    calls: int


class CoverageConsumerSeenAssumption(TypedDict):
    # The slug of the assumption.
    slug: str
    # The number of times that it was seen.
    calls: int


class CoverageConsumerSeenErrorCode(TypedDict):
    # The error code.
    code: str
    # The number of times that it was seen.
    calls: int


class CoverageConsumerSeenSetting(TypedDict):
    # The key of the setting.
    setting: str
    # The value of the setting.
    value: Any
    # The number of times that it was seen.
    calls: int


CoverageConsumerSeenTransition = TypedDict("CoverageConsumerSeenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "times": "int",
})


class CoverageHow(TypedDict):
    # The measure.
    measure: Literal["operations", "statuses", "media", "error_codes", "transitions", "settings", "assumptions"]
    # What was not seen.
    unit: str
    # Commands of a shell that show it, in a new sandbox whose address and key are in SANDBOX_URL and SANDBOX_API_KEY.
    commands: List[str]


class CoverageMeasure(TypedDict):
    """How much of one measure was seen."""

    # How many of them were seen.
    seen: int
    # How many of them there are.
    of: int
    # The share that was seen, in percent, cut to one decimal.
    percent: float


class CoverageMeasures(TypedDict):
    """How much of the documented surface was seen."""

    # The operations that were called.
    operations: CoverageMeasure
    # The statuses of operations that were answered.
    statuses: CoverageMeasure
    # The media types of bodies of operations that were accepted.
    media: CoverageMeasure
    # The error codes that were answered.
    error_codes: CoverageMeasure
    # The transitions between statuses that a subscription made.
    transitions: CoverageMeasure
    # The settings that had another value than the initial one in a call.
    settings: CoverageMeasure
    # The assumptions that an answer used.
    assumptions: CoverageMeasure


class CoverageSeen(TypedDict):
    """What was seen, and how often."""

    # The answers by operation, status and media type.
    answers: List[CoverageSeenAnswer]
    # The error codes.
    error_codes: List[CoverageSeenErrorCode]
    # The transitions of subscriptions.
    transitions: List[CoverageSeenTransition]
    # The settings with another value than the initial one.
    settings: List[CoverageSeenSetting]
    # The assumptions of the answers.
    assumptions: List[CoverageSeenAssumption]


class CoverageSeenAnswer(TypedDict):
    # The `operationId` of the operation.
    operation_id: str
    # The status of the answer.
    status: int
    # The media type of the body of the request.
    media: Literal["json", "form", "none", "other"]
    # The number of times that it was seen.
    calls: int


class CoverageSeenAssumption(TypedDict):
    # The slug of the assumption.
    slug: str
    # The number of times that it was seen.
    calls: int


class CoverageSeenErrorCode(TypedDict):
    # The error code.
    code: str
    # The number of times that it was seen.
    calls: int


class CoverageSeenSetting(TypedDict):
    # The key of the setting.
    setting: str
    # The value of the setting.
    value: Any
    # The number of times that it was seen.
    calls: int


CoverageSeenTransition = TypedDict("CoverageSeenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "times": "int",
})


class CoverageThreshold(TypedDict):
    # The measure.
    measure: Literal["operations", "statuses", "media", "error_codes", "transitions", "settings", "assumptions"]
    # The least percentage that is required.
    min: int
    # The percentage that was reached.
    percent: float
    # Whether the threshold is met.
    ok: bool


class CoverageUnseen(TypedDict):
    """What no consumer used, by measure."""

    # The operations that nobody called.
    operations: List[str]
    # The statuses that no answer had, by operation.
    statuses: List[CoverageUnseenStatuse]
    # The media types that no body had, by operation.
    media: List[CoverageUnseenMedia]
    # The error codes that no answer had.
    error_codes: List[str]
    # The transitions that no subscription made.
    transitions: List[CoverageUnseenTransition]
    # The settings that always had their initial value.
    settings: List[str]
    # The assumptions that no answer used.
    assumptions: List[str]


class CoverageUnseenMedia(TypedDict):
    # The `operationId` of the operation.
    operation_id: str
    # The media type of the body of the request.
    media: Literal["json", "form", "none", "other"]


class CoverageUnseenStatuse(TypedDict):
    # The `operationId` of the operation.
    operation_id: str
    # The status of the answer.
    status: int


CoverageUnseenTransition = TypedDict("CoverageUnseenTransition", {
    "from": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
    "trigger": "str",
    "to": "Literal['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']",
})


class Customer(TypedDict):
    """A customer: who is billed."""

    # The identifier of the customer.
    customer_id: str
    # The name of the customer.
    name: Optional[str]
    # The email address of the customer.
    email: Optional[str]
    # The ISO 4217 code of the currency of all bills of the customer; null until the first bill.
    currency: Optional[str]
    # Whether the customer has a valid payment method. With `none`, payment attempts fail.
    payment_method: Literal["valid", "none"]
    # The credit of the customer, in minor units; the next invoices use it first.
    balance: int


class CustomerCreate(TypedDict):
    """The customer to create. If it has no identifier, the sandbox generates one."""

    # The identifier of the customer.
    customer_id: NotRequired[str]
    # The name of the customer.
    name: NotRequired[str]
    # The email address of the customer.
    email: NotRequired[str]
    # The ISO 4217 code of the currency of all bills of the customer. Default: that of the first bill.
    currency: NotRequired[Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]]
    # Whether the customer has a valid payment method. With `none`, payment attempts fail. Default: "valid".
    payment_method: NotRequired[Literal["valid", "none"]]
    # The credit of the customer, in minor units; the next invoices use it first. Default: 0.
    balance: NotRequired[int]


class CustomerPatch(TypedDict):
    """The customer with its changes. An absent field is unchanged."""

    # The name of the customer.
    name: NotRequired[Optional[str]]
    # The email address of the customer.
    email: NotRequired[Optional[str]]
    # Whether the customer has a valid payment method. With `none`, payment attempts fail.
    payment_method: NotRequired[Literal["valid", "none"]]
    # The credit of the customer, in minor units; the next invoices use it first.
    balance: NotRequired[int]


class Discount(TypedDict):
    """A discount on a subscription, with the terms of its coupon when it was applied."""

    # The identifier of the coupon that the discount came from.
    coupon_id: str
    # The type of the discount, which says what `value` means.
    type: Literal["percentage", "fixed"]
    # The percentage, or the amount in minor units, by `type`.
    value: float
    # How long the discount lasts.
    duration: Literal["once", "repeating", "forever"]
    # How many months a `repeating` discount lasts; null for other durations.
    duration_in_months: Optional[int]
    # The instant from which the discount reduces invoices.
    starts_at: str
    # The instant at which a `repeating` discount ends; null for other durations. It covers an invoice at this very instant only if it covered none at the start.
    ends_at: Optional[str]


class DiscountAppliedEvent(TypedDict):
    """A coupon gave the subscription a discount, at its creation or by POST /v1/subscriptions/{subscription_id}/apply-coupon."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["discount.applied"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: DiscountAppliedEventDetail


class DiscountAppliedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The coupon.
    coupon_id: str
    # When the discount starts.
    starts_at: str
    # The instant at which a `repeating` discount ends; null for other durations.
    ends_at: Optional[str]


class DiscountEndedEvent(TypedDict):
    """An invoice for a period used up the last of a discount."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["discount.ended"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: DiscountEndedEventDetail


class DiscountEndedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The coupon.
    coupon_id: str
    # When the discount starts.
    starts_at: str
    # The instant at which a `repeating` discount ends; null for other durations.
    ends_at: Optional[str]


class DiscountReplacedEvent(TypedDict):
    """Another coupon took the place of a discount that does not stack with it."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["discount.replaced"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: DiscountReplacedEventDetail


class DiscountReplacedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The coupon of the discount that was replaced.
    coupon_id: str
    # When the discount starts.
    starts_at: str
    # The instant at which a `repeating` discount ends; null for other durations.
    ends_at: Optional[str]
    # The coupon of the discount that took its place.
    by: str


class DueItem(TypedDict):
    """Something that falls due."""

    # The virtual instant at which the item falls due.
    at: str
    # The kind of the item: the end of a trial, the end of a period, or a retry of a payment.
    kind: Literal["trial_end", "period_end", "payment_retry"]
    # The record that falls due.
    subject: Subject


class EventCause(TypedDict):
    """What led to an event."""

    # The kind of the cause: a request, or the clock.
    kind: Literal["request", "clock"]
    # The identifier of the request that led to the event; null without one.
    request_id: Optional[str]


class Explanation(TypedDict):
    """The explanation of an invoice: how each amount was computed."""

    # The invoice that is explained.
    invoice: Invoice
    # The explanation of each line of the invoice.
    lines: List[ExplanationLine]
    # The explanation of each discount.
    discounts: List[ExplanationDiscount]
    # The sum that leads to the amount due, in one sentence.
    sum: str


class ExplanationDiscount(TypedDict):
    # The identifier of the coupon.
    coupon_id: str
    # The type of the discount, which says what `value` means.
    type: Literal["percentage", "fixed"]
    # The percentage, or the amount in minor units, by `type`.
    value: float
    # The amount before the discount, in minor units.
    base: int
    # The exact amount in minor units, before rounding, cut after nine decimals.
    unrounded: str
    # The amount of the discount, in minor units.
    amount: int
    # The amount after the discount, in minor units.
    remaining: int
    # The computation in one sentence.
    text: str


class ExplanationLine(TypedDict):
    # The kind of the line: what its amount is for.
    kind: Literal["period", "proration_credit", "proration_charge"]
    # The identifier of the plan that is billed or credited.
    plan_id: str
    # The amount of the line, in minor units; negative for a credit.
    amount: int
    # The price of the plan for the whole period, in minor units.
    price: int
    # The discounts on that price, before the share of the period was taken.
    discounts: List[ExplanationLineDiscount]
    # The amount of which the share was taken, in minor units.
    basis_amount: int
    # The seconds of the period that the line bills or credits; null without a share.
    seconds_remaining: Optional[str]
    # The seconds of the whole period; null without a share.
    seconds_in_period: Optional[str]
    # The share as a fraction of seconds; null for a whole period.
    fraction: Optional[str]
    # The exact amount in minor units, before rounding, cut after nine decimals.
    unrounded: str
    # The amount by which a credit was reduced, in minor units.
    cut: int
    # The computation in one sentence.
    text: str


class ExplanationLineDiscount(TypedDict):
    # The identifier of the coupon.
    coupon_id: str
    # The type of the discount, which says what `value` means.
    type: Literal["percentage", "fixed"]
    # The percentage, or the amount in minor units, by `type`.
    value: float
    # The amount before the discount, in minor units.
    base: int
    # The exact amount in minor units, before rounding, cut after nine decimals.
    unrounded: str
    # The amount of the discount, in minor units.
    amount: int
    # The amount after the discount, in minor units.
    remaining: int
    # The computation in one sentence.
    text: str


class Fault(TypedDict):
    """A fault: an error that is injected into calls on /v1."""

    # The identifier of the fault.
    fault_id: str
    # The calls that the fault can hit.
    match: FaultMatch
    # The number of the first matching call that the fault can hit.
    nth: int
    # How many calls the fault hits; null for all calls.
    times: Optional[int]
    # The probability that the fault hits a matching call.
    probability: float
    # The seed that decides which matching calls are hit.
    seed: int
    # Whether the fault happens before the operation or after it.
    when: Literal["before", "after"]
    # The effect of the fault.
    effect: FaultEffect
    # How many calls matched the fault until it was used up.
    matched: int
    # How many calls the fault hit.
    used: int
    # How many more calls the fault hits; null without a limit.
    left: Optional[int]


class FaultCreate(TypedDict):
    """The fault to create."""

    # The calls that the fault can hit. Omit it to match all calls. Default: {}.
    match: NotRequired[FaultMatchCreate]
    # The number of the first matching call that the fault hits.
    nth: NotRequired[int]
    # The number of calls that the fault hits, from `nth` on. Default: 1 if `nth` is given, otherwise all calls.
    times: NotRequired[int]
    # The probability that the fault hits a matching call. Default: 1.
    probability: NotRequired[float]
    # The seed of the choice of calls: the same seed hits the same calls. Default: 0.
    seed: NotRequired[int]
    # before: the fault happens before the operation, which is not performed if the fault answers or closes the connection. after: it happens after the operation, whose changes are committed. Default: after if the effect damages the answer of the operation, otherwise before.
    when: NotRequired[Literal["before", "after"]]
    # The effect of the fault.
    effect: FaultEffectCreate


class FaultEffect(TypedDict):
    """The effect of the fault."""

    # The status that the fault answers with; null where the operation itself answers.
    status: Optional[int]
    # The body of the answer with that status. Where absent, it is the error body of the interface for 400, 401 and 403, and empty for other statuses.
    body: Any
    # The headers of the answer with that status, such as `Retry-After`.
    headers: Dict[str, str]
    # The delay of the call before or after the operation, in milliseconds of real time.
    delay_ms: int
    # The time that sending the body takes, byte by byte, in milliseconds of real time.
    slow_ms: int
    # Whether to close the connection without an answer.
    drop: bool
    # Whether to close the connection in the middle of the body.
    cut: bool
    # Whether to leave out the end of the body, which makes it invalid JSON.
    malformed: bool


class FaultEffectCreate(TypedDict):
    """The effect of a fault: at least one of its fields."""

    # The status that the fault answers with; absent where the operation itself answers.
    status: NotRequired[int]
    # The body of the answer with that status. Where absent, it is the error body of the interface for 400, 401 and 403, and empty for other statuses.
    body: NotRequired[Any]
    # The headers of the answer with that status, such as `Retry-After`.
    headers: NotRequired[Dict[str, str]]
    # The delay of the call before or after the operation, in milliseconds of real time. Default: 0.
    delay_ms: NotRequired[int]
    # The time that sending the body takes, byte by byte, in milliseconds of real time. Default: 0.
    slow_ms: NotRequired[int]
    # Whether to close the connection without an answer. Default: false.
    drop: NotRequired[bool]
    # Whether to close the connection in the middle of the body. Default: false.
    cut: NotRequired[bool]
    # Whether to leave out the end of the body, which makes it invalid JSON. Default: false.
    malformed: NotRequired[bool]


class FaultMatch(TypedDict):
    """The calls that the fault can hit."""

    # The `operationId` of the operation; null for all.
    operation: Optional[str]
    # The header of the call that must match, or null.
    header: Optional[FaultMatchHeader]
    # The field of the body that must match, or null.
    field: Optional[FaultMatchField]


class FaultMatchCreate(TypedDict):
    """The calls that a fault can hit: those that fit every field."""

    # The `operationId` of an operation on /v1. Omit it to match all operations.
    operation: NotRequired[str]
    # The header that a matching call must have. Headers with secrets are not allowed.
    header: NotRequired[FaultMatchCreateHeader]
    # The field that the body of a matching call must have. Fields with secrets are not allowed.
    field: NotRequired[FaultMatchCreateField]


class FaultMatchCreateField(TypedDict):
    """The field that the body of a matching call must have. Fields with secrets are not allowed."""

    # The name of the header or field.
    name: str
    # The value that the header or field must have.
    value: Union[str, float, bool]


class FaultMatchCreateHeader(TypedDict):
    """The header that a matching call must have. Headers with secrets are not allowed."""

    # The name of the header or field.
    name: str
    # The value that the header or field must have.
    value: str


class FaultMatchField(TypedDict):
    """The field of the body that must match, or null."""

    # The name of the field of the body.
    name: str
    # The value of the field of the body.
    value: str


class FaultMatchHeader(TypedDict):
    """The header of the call that must match, or null."""

    # The name of the header of the call.
    name: str
    # The value of the header of the call.
    value: str


class Fixture(TypedDict):
    # The sandbox and the instant of the export, in words.
    description: str
    # The state of the sandbox.
    state: NotRequired[Dict[str, Any]]
    # The virtual now of the sandbox.
    now: NotRequired[str]
    # The settings that differ from the initial ones.
    settings: NotRequired[Dict[str, Any]]
    # The further API keys.
    api_keys: NotRequired[List[Dict[str, Any]]]
    # The products.
    products: NotRequired[List[Dict[str, Any]]]
    # The plans.
    plans: NotRequired[List[Dict[str, Any]]]
    # The customers.
    customers: NotRequired[List[Dict[str, Any]]]
    # The coupons, without their redemptions.
    coupons: NotRequired[List[Dict[str, Any]]]
    # The promotions, without their redemptions.
    promotions: NotRequired[List[Dict[str, Any]]]


class Forecast(TypedDict):
    """One page of the invoices to come."""

    # The records, in the order of the list.
    data: List[Invoice]
    # Whether the list has more records after this page.
    has_more: bool
    # The cursor to send as `after` for the next page; null on the last page.
    next_after: Optional[str]
    # The instant before which nothing is missing, up to the end of this page.
    complete_until: str
    # Why the look ahead ended: `reached` at the requested instant, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.
    stopped_because: Literal["reached", "item_limit", "sandbox_full"]
    # The sums of all invoices to come, of every page, by currency.
    totals: List[BillingTotal]


class Hold(TypedDict):
    """A hold: a time during which one operation blocked all others."""

    # The `operationId` of the operation, or the page of the dashboard; null where several were under way, or none, such as for a running clock.
    operation: Optional[str]
    # The duration of the hold, in milliseconds of real time.
    ms: int
    # The instant at which the hold ended, in real time.
    at: str


class Invoice(TypedDict):
    """An invoice: what a customer has to pay at one moment."""

    # The identifier of the invoice.
    invoice_id: str
    # The identifier of the subscription that is billed.
    subscription_id: str
    # The identifier of the customer who pays.
    customer_id: str
    # The reason of the invoice.
    reason: Literal["period", "proration"]
    # The status of the invoice.
    status: Literal["open", "paid", "void", "uncollectible"]
    # The ISO 4217 code of the currency.
    currency: str
    # The lines of the invoice: what is billed.
    lines: List[InvoiceLine]
    # The discounts on the lines, in the order in which they were computed.
    discounts: List[InvoiceDiscount]
    # The sum of the lines, in minor units.
    subtotal: int
    # The sum of the discounts, in minor units.
    discount_total: int
    # The amount that the balance of the customer paid, in minor units; negative where the invoice credits the balance.
    balance_used: int
    # The amount to pay, in minor units: `subtotal` - `discount_total` - `balance_used`.
    amount_due: int
    # The amount that was collected, in minor units.
    amount_paid: int
    # The instant at which the invoice was made.
    created_at: str
    # The instant at which the invoice was paid, or null.
    paid_at: Optional[str]
    # The instant of the next payment attempt, or null.
    next_attempt_at: Optional[str]
    # The payment attempts for the invoice, oldest first.
    attempts: List[InvoiceAttempt]


class InvoiceAttempt(TypedDict):
    # The instant of the attempt.
    at: str
    # The outcome of the attempt.
    outcome: Literal["succeeded", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]


class InvoiceCreatedEvent(TypedDict):
    """An invoice was made: for a period that began, for the rest of a period after an upgrade, or for the credit of a cancellation."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["invoice.created"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: InvoiceCreatedEventDetail


class InvoiceCreatedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The subscription that it is for.
    subscription_id: str
    # What it is for: a `period`, or the `proration` of an upgrade or a cancellation.
    reason: Literal["period", "proration"]
    # The amount due after discounts and balance, in minor units.
    amount_due: int
    # The ISO 4217 code of the currency.
    currency: str
    # What discounts take off, in minor units; absent if there is none.
    discount_total: NotRequired[int]


class InvoiceCreditedEvent(TypedDict):
    """The credit of a plan change or of a cancellation paid a part or all of an open invoice."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["invoice.credited"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: InvoiceCreditedEventDetail


class InvoiceCreditedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The credit that was used for it, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str


class InvoiceDiscount(TypedDict):
    # The identifier of the coupon.
    coupon_id: str
    # The amount of the discount, in minor units.
    amount: int


class InvoiceLine(TypedDict):
    """A line of an invoice."""

    # The kind of the line: what its amount is for.
    kind: Literal["period", "proration_credit", "proration_charge"]
    # The identifier of the plan that is billed or credited.
    plan: str
    # The text of the line, for people.
    description: str
    # The amount of the line, in minor units; negative for a credit.
    amount: int
    # The start of the period that the line covers.
    period_start: str
    # The end of the period that the line covers, exclusive.
    period_end: str


class InvoicePaidEvent(TypedDict):
    """An invoice was paid in full: by a payment, by a credit, or at once where nothing was due."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["invoice.paid"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: InvoicePaidEventDetail


class InvoicePaidEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The amount that was paid, in minor units, without credit and balance.
    amount_paid: int
    # The ISO 4217 code of the currency.
    currency: str


class InvoiceUncollectibleEvent(TypedDict):
    """The invoice was given up: its last retry failed, or its subscription ended."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["invoice.uncollectible"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: InvoiceUncollectibleEventDetail


class InvoiceUncollectibleEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The amount that was not paid, in minor units.
    amount_due: int


class InvoiceVoidedEvent(TypedDict):
    """The subscription of an open invoice ended, so that nobody owes it any more."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["invoice.voided"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: InvoiceVoidedEventDetail


class InvoiceVoidedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # What the invoice had used of the balance of the customer, which got it back, in minor units.
    balance_returned: int


class IssuedTokens(TypedDict):
    """The tokens of a login."""

    # The new access token, for later calls.
    access_token: str
    # The type of the access token: always Bearer.
    token_type: Literal["Bearer"]
    # The lifetime of the access token, in seconds.
    expires_in: int
    # The refresh token.
    refresh_token: str
    # The identifier of the token family, by which the login can be revoked.
    family_id: str


class LockstepDeliveries(TypedDict):
    """The deliveries of an advance in lockstep."""

    # The number of deliveries that their receivers acknowledged.
    delivered: int
    # The number of deliveries that failed; none is tried again.
    failed: int
    # The deliveries that failed, in order; the first 100.
    failures: List[LockstepDeliveriesFailure]
    # The webhooks that the advance went on without, after three attempts without an answer; they get what they missed in the background, afterwards.
    left_out: List[str]


class LockstepDeliveriesFailure(TypedDict):
    # The identifier of the webhook.
    webhook_id: str
    # The identifier of the delivery.
    delivery_id: str
    # The number of the event.
    event_seq: int
    # The reason why the delivery failed.
    reason: str


class Money(TypedDict):
    """The sums of one future at its end, in minor units."""

    # The sum that invoices and charges ever collected, in minor units.
    paid: int
    # The sum that open invoices ask for, in minor units.
    due: int
    # The sum of the uncollectible invoices, in minor units.
    uncollectible: int
    # The sum of the balances of customers, which invoices use first, in minor units.
    balance: int


class MoneyDifference(TypedDict):
    """The sums with the changes minus those without them."""

    # The sum that invoices and charges ever collected, in minor units.
    paid: int
    # The sum that open invoices ask for, in minor units.
    due: int
    # The sum of the uncollectible invoices, in minor units.
    uncollectible: int
    # The sum of the balances of customers, which invoices use first, in minor units.
    balance: int


class NearestOperation(TypedDict):
    """The operation that is most like a request without one."""

    # The `operationId` of the operation.
    operation_id: str
    # The method of the operation.
    method: str
    # The path of the operation.
    path: str
    # The parts of the request that differ from the operation.
    differs: List[Literal["method", "path"]]


class PaymentFailedEvent(TypedDict):
    """A payment attempt for an invoice failed: the first one, a retry that fell due, or POST /sandbox/invoices/{invoice_id}/pay."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["payment.failed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: PaymentFailedEventDetail


class PaymentFailedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # Why the attempt failed.
    reason: Literal["card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]
    # When the next attempt falls due; null for none.
    next_attempt_at: Optional[str]


class PaymentOutcomesCreate(TypedDict):
    # The outcomes of the next payment attempts, in order.
    outcomes: NotRequired[List[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]]
    # The identifier of the subscription whose payments have this outcome. Omit it to affect all payments of the sandbox.
    subscription_id: NotRequired[str]
    # The identifier of the customer whose payments have this outcome.
    customer_id: NotRequired[str]
    # The outcome of every payment attempt that has no scripted outcome.
    always: NotRequired[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]


class PaymentOutcomesRemove(TypedDict):
    # The identifier of the subscription whose payments have this outcome. Omit it to affect all payments of the sandbox.
    subscription_id: NotRequired[str]
    # The identifier of the customer whose payments have this outcome.
    customer_id: NotRequired[str]


class PaymentScript(TypedDict):
    """The scripted payment outcomes of one scope."""

    # The payments that are affected: those of a subscription or of a customer. Empty for all payments of the sandbox.
    scope: PaymentScriptScope
    # The scripted outcomes that are not used yet, in order.
    outcomes: List[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]
    # The outcome of all attempts after the scripted ones; null if none is set.
    always: Optional[Literal["succeed", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]]


class PaymentScriptScope(TypedDict):
    """The payments that are affected: those of a subscription or of a customer. Empty for all payments of the sandbox."""

    # The identifier of the subscription.
    subscription_id: NotRequired[str]
    # The identifier of the customer.
    customer_id: NotRequired[str]


class PaymentSucceededEvent(TypedDict):
    """A payment attempt for an invoice succeeded: the first one, a retry that fell due, or POST /sandbox/invoices/{invoice_id}/pay."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["payment.succeeded"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: PaymentSucceededEventDetail


class PaymentSucceededEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The amount that was paid, in minor units.
    amount: int
    # The ISO 4217 code of the currency.
    currency: str


class Plan(TypedDict):
    """A pricing plan: what a product costs, and how often it is billed."""

    # The identifier of the plan.
    plan_id: str
    # The identifier of the product that the plan sells.
    product_id: str
    # The name of the plan, as invoice lines print it.
    name: str
    # The price of one billing interval, in minor units.
    amount: int
    # The ISO 4217 code of the currency of the price.
    currency: str
    # The unit of the billing interval.
    interval: Literal["day", "week", "month", "year"]
    # How many units one billing interval has.
    interval_count: int


class PlanCreate(TypedDict):
    """The plan to create. If it has no identifier, the sandbox generates one."""

    # The identifier of the plan.
    plan_id: NotRequired[str]
    # The identifier of the product.
    product_id: str
    # The name of the plan, as invoice lines print it.
    name: str
    # The price of one billing interval, in minor units.
    amount: int
    # The ISO 4217 code of the currency of the price.
    currency: Literal["AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG"]
    # The unit of the billing interval.
    interval: Literal["day", "week", "month", "year"]
    # How many units one billing interval has. Default: 1.
    interval_count: NotRequired[int]


class PlanPatch(TypedDict):
    """The plan with its changes. An absent field is unchanged."""

    # The name of the plan, as invoice lines print it.
    name: NotRequired[str]
    # The price of one billing interval, in minor units.
    amount: NotRequired[int]


class Product(TypedDict):
    """A product: what is sold, at the prices of its plans."""

    # The identifier of the product.
    product_id: str
    # The name of the product.
    name: str


class ProductCreate(TypedDict):
    """The product to create. If it has no identifier, the sandbox generates one."""

    # The identifier of the product.
    product_id: NotRequired[str]
    # The name of the product.
    name: str


class ProductPatch(TypedDict):
    """The product with its changes. An absent field is unchanged."""

    # The name of the product.
    name: NotRequired[str]


class Promotion(TypedDict):
    """A promotion: a code that stands for a coupon."""

    # The code that customers enter.
    code: str
    # The identifier of the coupon that the code stands for.
    coupon_id: str
    # The instant from which the code can be redeemed; null without a start.
    starts_at: Optional[str]
    # The instant from which the code can no longer be redeemed; null without an end.
    expires_at: Optional[str]
    # How often the code can be redeemed; null without a limit.
    max_redemptions: Optional[int]
    # The number of redemptions. It never decreases.
    times_redeemed: int


class PromotionCreate(TypedDict):
    """The promotion to create."""

    # The code that customers enter.
    code: str
    # The identifier of the coupon.
    coupon_id: str
    # The instant from which the code can be redeemed; absent without a start.
    starts_at: NotRequired[str]
    # The instant from which the code can no longer be redeemed; absent without an end.
    expires_at: NotRequired[str]
    # How often the code can be redeemed; absent without a limit.
    max_redemptions: NotRequired[int]


class PromotionPatch(TypedDict):
    """The promotion with its changes. An absent field is unchanged; null removes a limit."""

    # The instant from which the code can be redeemed; null without a start.
    starts_at: NotRequired[Optional[str]]
    # The instant from which the code can no longer be redeemed; null without an end.
    expires_at: NotRequired[Optional[str]]
    # How often the code can be redeemed; null without a limit.
    max_redemptions: NotRequired[Optional[int]]


class Request(TypedDict):
    """A request in the log, and its answer."""

    # The number of the request; resets do not restart it.
    number: int
    # The header Request-Id of the answer.
    request_id: str
    # The virtual now of the answer.
    at: str
    # When the request was answered, in real time.
    answered_at: str
    # Whether the base address of the sandbox placed the request; `path` leaves it out.
    by_address: bool
    # How long the call took, in milliseconds of real time.
    duration_ms: float
    # The header Sandbox-Consumer of the request, or null.
    consumer: Optional[str]
    # The `operationId` of the operation; null where none fits method and path.
    operation_id: Optional[str]
    # The operation that is most like the request, where none fits; else null.
    nearest: Optional[NearestOperation]
    # The request as it was sent.
    request: RequestRequest
    # The answer as it was sent.
    answer: RequestAnswer
    # The refusal of the request; null where it was not refused.
    refusal: Optional[RequestRefusal]
    # The slugs of the assumptions that shaped the answer.
    assumptions: List[str]
    # The identifier of the fault that shaped the answer, or null.
    fault: Optional[str]
    # The first 100 events that the request caused.
    events: List[RequestEvent]


class RequestAnswer(TypedDict):
    """The answer as it was sent."""

    # The status of the answer; null where a fault closed the connection.
    status: Optional[int]
    # The media type of the answer, or null.
    content_type: Optional[str]
    # The body as text, with secrets masked; null without a body, and where it is too long to be kept.
    body: Optional[str]
    # The length of the body in bytes; null if it was not read.
    bytes: Optional[int]


class RequestEvent(TypedDict):
    # The number of the event.
    seq: int
    # The type of the event.
    type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]


class RequestRefusal(TypedDict):
    """The refusal of the request; null where it was not refused."""

    # The error code.
    code: str
    # The error in words.
    message: str
    # The invalid fields.
    errors: List[RequestRefusalError]


class RequestRefusalError(TypedDict):
    # The path of the field, such as `outcomes[1]`.
    field: str
    # The problem of the field.
    message: str


class RequestRequest(TypedDict):
    """The request as it was sent."""

    # The method of the request.
    method: str
    # The path and the query of the request.
    path: str
    # The headers of the request, by name.
    headers: Dict[str, str]
    # The body as text, with secrets masked; null without a body, and where it is too long to be kept.
    body: Optional[str]
    # The length of the body in bytes; null if it was not read.
    bytes: Optional[int]


class Sandbox(TypedDict):
    """A sandbox."""

    # The identifier of the sandbox.
    sandbox_id: str
    # The API key of the sandbox.
    api_key: str
    # The virtual now of the sandbox.
    now: str


SandboxCreate = TypedDict("SandboxCreate", {
    "fixture": "NotRequired[str]",
    "now": "NotRequired[str]",
    "settings": "NotRequired[SettingsPatch]",
    "from": "NotRequired[SandboxCreateFrom]",
})


class SandboxCreateFrom(TypedDict):
    """The sandbox to fork, as it is now or at one of its checkpoints."""

    # The identifier of the sandbox.
    sandbox: str
    # The name of the checkpoint to fork; where absent, the sandbox as it is now.
    checkpoint: NotRequired[str]


class SandboxDescription(TypedDict):
    """A sandbox, and the process that serves it."""

    # The identifier of the sandbox.
    sandbox_id: str
    # The API key of the sandbox.
    api_key: str
    # The virtual now of the sandbox.
    now: str
    # How many records there are, by kind.
    counts: Dict[str, int]
    # The item that falls due next; null if nothing will fall due.
    next_due: Optional[DueItem]
    # The share of the work that is done of the comparison of futures that runs, `compareFutures`; null where none runs. Not repeatable.
    what_if_progress: Optional[float]
    # The longest time for which each operation held the event loop of this process since it started, whatever the sandbox, the longest first; without those up to 20 ms. Null in a process that runs other code too, as with `startSandbox`. Real time: not repeatable.
    longest_holds: Optional[List[Hold]]


class SandboxReset(TypedDict):
    """The fixture to reset the sandbox to."""

    # The name of the fixture to reset to. Default: the one that the sandbox was created from.
    fixture: NotRequired[str]


class SandboxResetEvent(TypedDict):
    """A new world replaced the one before: by POST /sandbox/reset, or for a provider state of contracts."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["sandbox.reset"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SandboxResetEventDetail


class SandboxResetEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The fixture that the world was made from.
    fixture: str
    # The checkpoint; absent where it was none.
    checkpoint: NotRequired[str]
    # The provider state of contracts; absent where it was none.
    provider_states: NotRequired[str]


class SandboxRestoredEvent(TypedDict):
    """A checkpoint, or a state that was sent, replaced the world: POST /sandbox/checkpoints/{name}/restore or PUT /sandbox/state."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["sandbox.restored"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SandboxRestoredEventDetail


class SandboxRestoredEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The fixture that the world was made from.
    fixture: str
    # The checkpoint; absent where it was none.
    checkpoint: NotRequired[str]
    # The provider state of contracts; absent where it was none.
    provider_states: NotRequired[str]


class SandboxSummary(TypedDict):
    """A sandbox, the number of its records, and the next due item."""

    # The identifier of the sandbox.
    sandbox_id: str
    # The API key of the sandbox.
    api_key: str
    # The virtual now of the sandbox.
    now: str
    # How many records there are, by kind.
    counts: Dict[str, int]
    # The item that falls due next; null if nothing will fall due.
    next_due: Optional[DueItem]


class Settings(TypedDict):
    """The settings of a sandbox: its decisions that can be changed."""

    # Which fields does a subscription record have beside the three on create? Accepts: a list of documented, epoch_seconds, field=name and envelope=name, no field or name twice; [] for none. Initially: Identifier, status, trial and period instants, cancellation, pending plan, discounts and creation instant; null where one does not apply, never absent.
    subscription_fields: List[str]
    # What is the paused state called? Accepts: 1 to 40 of a-z and _, and no other status name. Initially: paused
    paused_status_name: str
    # What happens on a transition that the table does not list? Initially: Past due and paused subscriptions can be canceled at once, past due ones at period end too, and a paid invoice recovers a past due one; every other unlisted transition is refused with 409 invalid_transition. One that is set to cancel at period end can be paused, as any active one.
    unlisted_transitions: Literal["cancel", "refuse"]
    # How long is a day of trial? Initially: Exactly 24 hours.
    trial_day_length: Literal["24_hours", "calendar_day"]
    # When is a subscription without a trial first billed? Initially: At once: an invoice and a payment attempt when it is created; a failure leaves it past due.
    first_invoice: Literal["at_once", "first_boundary"]
    # What happens to a trial that ends when the customer has no payment method? Initially: Where its first invoice has something due, the subscription expires, and nothing is billed; where nothing is due, it becomes active.
    trial_end_without_payment_method: Literal["expire", "past_due"]
    # How are amounts written and rounded? Initially: Integers of minor units, rounded half away from zero once for each computed amount.
    amount_rounding: Literal["half_away", "half_even"]
    # When is a failed payment retried? Accepts: ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most 3650 days, strictly ascending; [] for no retry. Initially: 1, 3, 5 and 7 days after the first failure of the invoice.
    retry_schedule: List[str]
    # What happens to a subscription after its last failed retry? Initially: It is canceled at that instant; the invoice is uncollectible.
    after_retries: Literal["cancel", "keep_past_due"]
    # Which plan change is an upgrade and which a downgrade? Initially: The higher yearly rate is the upgrade; an equal one is treated as an upgrade.
    upgrade_or_downgrade: Literal["yearly_rate", "amount"]
    # How is the difference of an upgrade computed? Initially: To the millisecond: a credit for the rest of the period at what the old plan cost after discounts, and a charge for it at the new price with the same discounts, invoiced at once.
    proration: Literal["millisecond", "second", "day", "none"]
    # What does a plan change to another billing interval do to the period? Initially: An upgrade starts a full new period now, with a credit for the unused rest; a downgrade starts one at the next boundary.
    interval_change: Literal["at_once", "at_period_end"]
    # What happens to a credit larger than what is charged? Initially: It pays the open invoices of the subscription, the oldest first; the rest goes to the balance of the customer, which later invoices use first.
    credit_to_balance: Literal["balance", "forfeit"]
    # What does a plan change do during a trial? Initially: An upgrade swaps the plan at once without charge and leaves the trial end; a downgrade waits for the trial end.
    plan_change_in_trial: Literal["at_once", "at_trial_end"]
    # What happens to money on cancellation? Initially: Nothing is refunded for the rest of a period that was paid.
    cancel_without_refund: Literal["nothing", "credit"]
    # What happens to open invoices when a subscription ends? Initially: They are void, and their retries stop: the customer no longer owes them.
    open_invoices_on_cancellation: Literal["void", "uncollectible"]
    # What happens to the period when a paused subscription resumes? Initially: The unused part is given back: the period ends at the resume plus what was left.
    resume_restores_remaining_period: bool
    # When are a coupon’s limits to plans and products checked? Initially: When it is applied, and again on each invoice: a plan outside them gets nothing from it.
    coupon_limits_on_invoices: Literal["each_invoice", "when_applied"]
    # When does a redemption count? Initially: When the coupon is applied; it is never given back, and running discounts are not cut short.
    redemption_count: Literal["each_application", "each_subscription"]
    # What does applying a coupon do that the subscription already has? Initially: It starts anew, last in order, and counts as another redemption.
    reapplied_coupon: Literal["restart", "refuse"]
    # In which order do several discounts reduce one amount? Initially: Percentages first, each on what is left, then fixed amounts, each in order of application.
    stacking_order: Literal["percentage_first", "fixed_first", "application"]
    # When do the months of a repeating coupon begin that is applied during a trial? Initially: When billing begins, at the actual end of the trial.
    coupon_months_start: Literal["first_billing", "application"]
    # Do the months of a repeating coupon run while the subscription is paused? Initially: They keep running.
    coupon_months_during_pause: Literal["runs", "stops"]
    # Which status do the five subscription operations answer on success? Accepts: a list of 200, 201, 202 and operation=status, one for each operation; [] for 200. Initially: 200, creation included.
    success_status: List[str]
    # What happens to a field that the operation does not document? Initially: The request is refused with 400 invalid_request.
    unknown_fields: Literal["reject", "ignore"]
    # Which status does invalid_grant have? Initially: 403
    invalid_grant_status: Literal[400, 401, 403]
    # How many seconds does an access token live? Initially: 3600
    access_token_lifetime: int
    # How many seconds does a refresh token live? Initially: 2592000, which is 30 days
    refresh_token_lifetime: int
    # When does a refresh answer carry a new refresh token? Initially: Always; the one that was used is revoked.
    refresh_rotation: Literal["rotate", "keep"]
    # What happens when a refresh token is presented that was already used? Initially: invalid_grant, and every token of the same login is revoked.
    refresh_reuse_revokes_family: bool
    # For how long after its rotation does a used refresh token still count as unused? Initially: 0 seconds: a client that lost the answer has to log in again.
    refresh_reuse_leeway: int
    # The slugs of the assumptions for which the sandbox uses the alternative, which the interface allows as well, whatever their settings say. GET /sandbox/assumptions lists the alternatives.
    vary: List[Literal["subscription-fields", "status-names", "paused-status-name", "unlisted-transitions", "trial-period-bounds", "trial-day-length", "first-invoice", "trial-end-without-payment-method", "amount-rounding", "retry-schedule", "after-retries", "upgrade-or-downgrade", "proration", "interval-change", "credit-to-balance", "plan-change-in-trial", "immediate-cancel-parameter", "cancel-without-refund", "open-invoices-on-cancellation", "resume-restores-remaining-period", "coupon-refusals", "coupon-limits-on-invoices", "redemption-count", "reapplied-coupon", "stacking-order", "coupon-months-start", "coupon-months-during-pause", "success-status", "json-bodies", "unknown-fields", "error-envelope", "error-codes", "method-not-allowed", "refresh-error-statuses", "invalid-grant-status", "access-token-lifetime", "refresh-token-lifetime", "refresh-rotation", "refresh-reuse-revokes-family", "refresh-reuse-leeway", "access-tokens-on-subscription-calls"]]
    # Whether to refuse requests on /v1 that use something undocumented, such as an additional field, or JSON where the interface shows a form. They are answered with 501 undocumented and the assumption that they rely on.
    strict: bool


class SettingsPatch(TypedDict):
    """The settings with their changes. An absent setting is unchanged."""

    # Which fields does a subscription record have beside the three on create? Accepts: a list of documented, epoch_seconds, field=name and envelope=name, no field or name twice; [] for none. Initially: Identifier, status, trial and period instants, cancellation, pending plan, discounts and creation instant; null where one does not apply, never absent.
    subscription_fields: NotRequired[List[str]]
    # What is the paused state called? Accepts: 1 to 40 of a-z and _, and no other status name. Initially: paused
    paused_status_name: NotRequired[str]
    # What happens on a transition that the table does not list? Initially: Past due and paused subscriptions can be canceled at once, past due ones at period end too, and a paid invoice recovers a past due one; every other unlisted transition is refused with 409 invalid_transition. One that is set to cancel at period end can be paused, as any active one.
    unlisted_transitions: NotRequired[Literal["cancel", "refuse"]]
    # How long is a day of trial? Initially: Exactly 24 hours.
    trial_day_length: NotRequired[Literal["24_hours", "calendar_day"]]
    # When is a subscription without a trial first billed? Initially: At once: an invoice and a payment attempt when it is created; a failure leaves it past due.
    first_invoice: NotRequired[Literal["at_once", "first_boundary"]]
    # What happens to a trial that ends when the customer has no payment method? Initially: Where its first invoice has something due, the subscription expires, and nothing is billed; where nothing is due, it becomes active.
    trial_end_without_payment_method: NotRequired[Literal["expire", "past_due"]]
    # How are amounts written and rounded? Initially: Integers of minor units, rounded half away from zero once for each computed amount.
    amount_rounding: NotRequired[Literal["half_away", "half_even"]]
    # When is a failed payment retried? Accepts: ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most 3650 days, strictly ascending; [] for no retry. Initially: 1, 3, 5 and 7 days after the first failure of the invoice.
    retry_schedule: NotRequired[List[str]]
    # What happens to a subscription after its last failed retry? Initially: It is canceled at that instant; the invoice is uncollectible.
    after_retries: NotRequired[Literal["cancel", "keep_past_due"]]
    # Which plan change is an upgrade and which a downgrade? Initially: The higher yearly rate is the upgrade; an equal one is treated as an upgrade.
    upgrade_or_downgrade: NotRequired[Literal["yearly_rate", "amount"]]
    # How is the difference of an upgrade computed? Initially: To the millisecond: a credit for the rest of the period at what the old plan cost after discounts, and a charge for it at the new price with the same discounts, invoiced at once.
    proration: NotRequired[Literal["millisecond", "second", "day", "none"]]
    # What does a plan change to another billing interval do to the period? Initially: An upgrade starts a full new period now, with a credit for the unused rest; a downgrade starts one at the next boundary.
    interval_change: NotRequired[Literal["at_once", "at_period_end"]]
    # What happens to a credit larger than what is charged? Initially: It pays the open invoices of the subscription, the oldest first; the rest goes to the balance of the customer, which later invoices use first.
    credit_to_balance: NotRequired[Literal["balance", "forfeit"]]
    # What does a plan change do during a trial? Initially: An upgrade swaps the plan at once without charge and leaves the trial end; a downgrade waits for the trial end.
    plan_change_in_trial: NotRequired[Literal["at_once", "at_trial_end"]]
    # What happens to money on cancellation? Initially: Nothing is refunded for the rest of a period that was paid.
    cancel_without_refund: NotRequired[Literal["nothing", "credit"]]
    # What happens to open invoices when a subscription ends? Initially: They are void, and their retries stop: the customer no longer owes them.
    open_invoices_on_cancellation: NotRequired[Literal["void", "uncollectible"]]
    # What happens to the period when a paused subscription resumes? Initially: The unused part is given back: the period ends at the resume plus what was left.
    resume_restores_remaining_period: NotRequired[bool]
    # When are a coupon’s limits to plans and products checked? Initially: When it is applied, and again on each invoice: a plan outside them gets nothing from it.
    coupon_limits_on_invoices: NotRequired[Literal["each_invoice", "when_applied"]]
    # When does a redemption count? Initially: When the coupon is applied; it is never given back, and running discounts are not cut short.
    redemption_count: NotRequired[Literal["each_application", "each_subscription"]]
    # What does applying a coupon do that the subscription already has? Initially: It starts anew, last in order, and counts as another redemption.
    reapplied_coupon: NotRequired[Literal["restart", "refuse"]]
    # In which order do several discounts reduce one amount? Initially: Percentages first, each on what is left, then fixed amounts, each in order of application.
    stacking_order: NotRequired[Literal["percentage_first", "fixed_first", "application"]]
    # When do the months of a repeating coupon begin that is applied during a trial? Initially: When billing begins, at the actual end of the trial.
    coupon_months_start: NotRequired[Literal["first_billing", "application"]]
    # Do the months of a repeating coupon run while the subscription is paused? Initially: They keep running.
    coupon_months_during_pause: NotRequired[Literal["runs", "stops"]]
    # Which status do the five subscription operations answer on success? Accepts: a list of 200, 201, 202 and operation=status, one for each operation; [] for 200. Initially: 200, creation included.
    success_status: NotRequired[List[str]]
    # What happens to a field that the operation does not document? Initially: The request is refused with 400 invalid_request.
    unknown_fields: NotRequired[Literal["reject", "ignore"]]
    # Which status does invalid_grant have? Initially: 403
    invalid_grant_status: NotRequired[Literal[400, 401, 403]]
    # How many seconds does an access token live? Initially: 3600
    access_token_lifetime: NotRequired[int]
    # How many seconds does a refresh token live? Initially: 2592000, which is 30 days
    refresh_token_lifetime: NotRequired[int]
    # When does a refresh answer carry a new refresh token? Initially: Always; the one that was used is revoked.
    refresh_rotation: NotRequired[Literal["rotate", "keep"]]
    # What happens when a refresh token is presented that was already used? Initially: invalid_grant, and every token of the same login is revoked.
    refresh_reuse_revokes_family: NotRequired[bool]
    # For how long after its rotation does a used refresh token still count as unused? Initially: 0 seconds: a client that lost the answer has to log in again.
    refresh_reuse_leeway: NotRequired[int]
    # The slugs of the assumptions for which the sandbox uses the alternative, which the interface allows as well, whatever their settings say. GET /sandbox/assumptions lists the alternatives.
    vary: NotRequired[List[Literal["subscription-fields", "status-names", "paused-status-name", "unlisted-transitions", "trial-period-bounds", "trial-day-length", "first-invoice", "trial-end-without-payment-method", "amount-rounding", "retry-schedule", "after-retries", "upgrade-or-downgrade", "proration", "interval-change", "credit-to-balance", "plan-change-in-trial", "immediate-cancel-parameter", "cancel-without-refund", "open-invoices-on-cancellation", "resume-restores-remaining-period", "coupon-refusals", "coupon-limits-on-invoices", "redemption-count", "reapplied-coupon", "stacking-order", "coupon-months-start", "coupon-months-during-pause", "success-status", "json-bodies", "unknown-fields", "error-envelope", "error-codes", "method-not-allowed", "refresh-error-statuses", "invalid-grant-status", "access-token-lifetime", "refresh-token-lifetime", "refresh-rotation", "refresh-reuse-revokes-family", "refresh-reuse-leeway", "access-tokens-on-subscription-calls"]]]
    # Whether to refuse requests on /v1 that use something undocumented, such as an additional field, or JSON where the interface shows a form. They are answered with 501 undocumented and the assumption that they rely on.
    strict: NotRequired[bool]


class Subject(TypedDict):
    """The record that something is about."""

    # The kind of the record.
    kind: Literal["subscription", "invoice", "charge", "token_family", "sandbox"]
    # Its identifier.
    id: str


class Subscription(TypedDict):
    """A subscription: a customer holding a plan over time."""

    # The identifier of the subscription.
    subscription_id: str
    # The identifier of the customer who is billed.
    customer_id: str
    # The identifier of the pricing plan that is billed now.
    plan: str
    # The trial days that the create asked for; null where it asked for none.
    trial_period_days: Optional[int]
    # The status: `trialing`, `active`, `past_due`, `paused`, `canceled`, `expired`. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed.
    status: Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]
    # The end of the trial; null without a trial.
    trial_end: Optional[str]
    # The start of the current billing period.
    current_period_start: str
    # The end of the current billing period, exclusive; in a trial, the end of the trial.
    current_period_end: str
    # Whether the subscription ends with the current period.
    cancel_at_period_end: bool
    # The instant of the last request to cancel the subscription; null without one.
    canceled_at: Optional[str]
    # The instant at which the subscription ended; null until then.
    ended_at: Optional[str]
    # The identifier of the plan that takes effect at the next billing cycle, or null.
    pending_plan: Optional[str]
    # The discounts on the subscription, in the order in which they were applied.
    discounts: List[Discount]
    # The instant at which the subscription was created.
    created_at: str


class SubscriptionActivatedEvent(TypedDict):
    """The end of a trial fell due, and the first paid period began."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.activated"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionActivatedEventDetail


class SubscriptionActivatedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The plan of the period.
    plan: str
    # When the period began.
    period_start: str
    # When the period ends, exclusive.
    period_end: str


class SubscriptionCancel(TypedDict):
    """When to cancel the subscription."""

    # Whether the subscription ends with the current period; where absent or false it ends at once (assumption immediate-cancel-parameter).
    at_period_end: NotRequired[bool]


class SubscriptionCancelScheduledEvent(TypedDict):
    """A cancellation with `at_period_end` true was accepted; the subscription goes on until the end of its trial or period."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.cancel_scheduled"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionCancelScheduledEventDetail


class SubscriptionCancelScheduledEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # When the subscription will end.
    cancels_at: str


class SubscriptionCanceledEvent(TypedDict):
    """The subscription ended: by a cancellation without `at_period_end`, at the end of a trial or period with a scheduled one, or when the last retry of a payment failed."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.canceled"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionCanceledEventDetail


class SubscriptionCanceledEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The reason why the subscription ended.
    reason: Literal["requested", "period_end", "no_payment_method", "retries_exhausted"]


class SubscriptionCancellationRemovedEvent(TypedDict):
    """The scheduled cancellation was removed, by a call of the control plane."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.cancellation_removed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionCancellationRemovedEventDetail


class SubscriptionCancellationRemovedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""



class SubscriptionCreatedEvent(TypedDict):
    """A subscription was created, by POST /v1/subscriptions or POST /sandbox/subscriptions."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.created"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionCreatedEventDetail


class SubscriptionCreatedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The plan of the period.
    plan: str
    # When the period began.
    period_start: str
    # When the period ends, exclusive.
    period_end: str
    # The initial status of the subscription.
    status: Literal["trialing", "active", "past_due", "paused", "canceled", "expired"]


class SubscriptionExpiredEvent(TypedDict):
    """The end of a trial fell due, and the customer had no payment method for what was due."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.expired"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionExpiredEventDetail


class SubscriptionExpiredEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The reason why the subscription ended.
    reason: Literal["requested", "period_end", "no_payment_method", "retries_exhausted"]


class SubscriptionPastDueEvent(TypedDict):
    """A payment for an open invoice of an active subscription failed."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.past_due"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionPastDueEventDetail


class SubscriptionPastDueEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The invoice whose payment failed.
    invoice_id: str


class SubscriptionPausedEvent(TypedDict):
    """The subscription was paused, by POST /v1/subscriptions/{subscription_id}/pause."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.paused"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionPausedEventDetail


class SubscriptionPausedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # When the period would have ended; the rest of it is kept.
    period_end: str


class SubscriptionPlanChangeScheduledEvent(TypedDict):
    """An update of the subscription scheduled a plan for the next period, or removed the scheduled one."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.plan_change_scheduled"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionPlanChangeScheduledEventDetail


SubscriptionPlanChangeScheduledEventDetail = TypedDict("SubscriptionPlanChangeScheduledEventDetail", {
    "from": "str",
    "to": "Optional[str]",
    "effective_at": "Optional[str]",
})


class SubscriptionPlanChangedEvent(TypedDict):
    """Another plan took effect: at once, by an update of the subscription, or as scheduled, when the end of the trial or of the period fell due."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.plan_changed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionPlanChangedEventDetail


SubscriptionPlanChangedEventDetail = TypedDict("SubscriptionPlanChangedEventDetail", {
    "from": "str",
    "to": "str",
    "period_start": "NotRequired[str]",
    "period_end": "NotRequired[str]",
})


class SubscriptionRecord(TypedDict):
    """A subscription as on /v1, and the end of the access of the customer."""

    # The identifier of the subscription.
    subscription_id: str
    # The identifier of the customer who is billed.
    customer_id: str
    # The identifier of the pricing plan that is billed now.
    plan: str
    # The trial days that the create asked for; null where it asked for none.
    trial_period_days: Optional[int]
    # The status: `trialing`, `active`, `past_due`, `paused`, `canceled`, `expired`. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed.
    status: Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]
    # The end of the trial; null without a trial.
    trial_end: Optional[str]
    # The start of the current billing period.
    current_period_start: str
    # The end of the current billing period, exclusive; in a trial, the end of the trial.
    current_period_end: str
    # Whether the subscription ends with the current period.
    cancel_at_period_end: bool
    # The instant of the last request to cancel the subscription; null without one.
    canceled_at: Optional[str]
    # The instant at which the subscription ended; null until then.
    ended_at: Optional[str]
    # The identifier of the plan that takes effect at the next billing cycle, or null.
    pending_plan: Optional[str]
    # The discounts on the subscription, in the order in which they were applied.
    discounts: List[Discount]
    # The instant at which the subscription was created.
    created_at: str
    # The end of the access of the customer: the end of the subscription, the start of a pause, or the end of the period where a cancellation is scheduled; else null.
    access_until: Optional[str]


class SubscriptionRecoveredEvent(TypedDict):
    """The last open invoice of a subscription that was past due was paid, so that it is active again."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.recovered"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionRecoveredEventDetail


class SubscriptionRecoveredEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The invoice that was paid last.
    invoice_id: str


class SubscriptionRenewedEvent(TypedDict):
    """The end of a period fell due, and the next period began."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.renewed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionRenewedEventDetail


class SubscriptionRenewedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The plan of the period.
    plan: str
    # When the period began.
    period_start: str
    # When the period ends, exclusive.
    period_end: str


class SubscriptionResumedEvent(TypedDict):
    """The subscription was resumed, by POST /sandbox/subscriptions/{subscription_id}/resume."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.resumed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionResumedEventDetail


class SubscriptionResumedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # When the kept rest of the period ends, exclusive.
    period_end: str


class SubscriptionTrialEndedEvent(TypedDict):
    """The end of a trial fell due, whether the subscription then became active, was canceled or expired."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["subscription.trial_ended"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: SubscriptionTrialEndedEventDetail


class SubscriptionTrialEndedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # When the trial ended.
    trial_end: str


class SubscriptionUpdate(TypedDict):
    """The plan to change to."""

    # The identifier of the pricing plan.
    plan: str


class TokenFamily(TypedDict):
    """A token family: all tokens of one login."""

    # The identifier of the token family.
    family_id: str
    # The identifier of the sandbox that issued the tokens; they work in no other.
    issued_by: str
    # The person who logged in, or null.
    subject: Optional[str]
    # The instant of the login.
    issued_at: str
    # The instant at which the login was revoked, or null.
    revoked_at: Optional[str]
    # The instant at which its newest refresh token expires; null for a revoked login.
    refresh_token_expires_at: Optional[str]


class TokenIssue(TypedDict):
    """The login to issue tokens for."""

    # The person who logs in, as the list of logins shows it.
    subject: NotRequired[str]


class TokenIssuedEvent(TypedDict):
    """POST /sandbox/tokens issued the tokens of a new login."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["token.issued"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: TokenIssuedEventDetail


class TokenIssuedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The subject of the login, as the caller named it; null without one.
    subject: Optional[str]


class TokenRefreshedEvent(TypedDict):
    """POST /v1/auth/refresh exchanged a refresh token for a new access token."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["token.refreshed"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: TokenRefreshedEventDetail


class TokenRefreshedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # Whether the refresh token was replaced too.
    rotated: bool


class TokenResponse(TypedDict):
    """The new tokens."""

    # The new access token, for later calls.
    access_token: str
    # The type of the access token: always Bearer.
    token_type: Literal["Bearer"]
    # The lifetime of the access token, in seconds.
    expires_in: int
    # The new refresh token; the one that was sent is then revoked.
    refresh_token: NotRequired[str]


class TokenReuseDetectedEvent(TypedDict):
    """POST /v1/auth/refresh got a refresh token that an earlier refresh had replaced."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["token.reuse_detected"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: TokenReuseDetectedEventDetail


class TokenReuseDetectedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""



class TokenRevoke(TypedDict):
    # The refresh token, issued at login or token exchange.
    refresh_token: NotRequired[str]
    # The identifier of the token family.
    family_id: NotRequired[str]


class TokenRevokedEvent(TypedDict):
    """The tokens of a login were revoked, by a call of the control plane or because a rotated refresh token was sent again."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["token.revoked"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: TokenRevokedEventDetail


class TokenRevokedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""



class TrialExtendedEvent(TypedDict):
    """A coupon of the type `trial_extension` moved the end of the trial, or of the period of an active subscription."""

    # The number of the event; it increases strictly within a sandbox.
    seq: int
    # The type of the event.
    type: Literal["trial.extended"]
    # The virtual instant of the event.
    at: str
    # The record that the event is about.
    subject: Subject
    # The cause of the event.
    cause: EventCause
    # The facts about the event, by its type; amounts in minor units.
    detail: TrialExtendedEventDetail


class TrialExtendedEventDetail(TypedDict):
    """The facts about the event, by its type; amounts in minor units."""

    # The coupon.
    coupon_id: str
    # The number of days.
    days: int
    # When the trial, or the period, ends now.
    period_end: str


class Webhook(TypedDict):
    """A receiver of events."""

    # The identifier of the webhook.
    webhook_id: str
    # The address that events are sent to.
    url: str
    # The types of the events that are sent to the webhook; null for all.
    event_types: Optional[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # The number of the last event that needs no further delivery: it was delivered, its delivery failed, or it happened before the webhook was created.
    done_seq: int
    # The number of events of any type that were never sent to the webhook, because it was so far behind that they were no longer kept: the newest 100000 are.
    skipped: int


class WebhookCreate(TypedDict):
    """The webhook to create."""

    # The address that events are sent to, by POST: a server on this machine, unless the process was started for other hosts.
    url: str
    # The types of the events that are sent to the webhook; all by default.
    event_types: NotRequired[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # The secret that deliveries are signed with. Default: a generated one.
    secret: NotRequired[str]


class WebhookDelivery(TypedDict):
    """The delivery of one event to one webhook."""

    # The identifier of the delivery.
    delivery_id: str
    # The identifier of the webhook that receives the event.
    webhook_id: str
    # The number of the event.
    event_seq: int
    # The type of the event.
    event_type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]
    # The state of the delivery: `pending` while it is tried again, `failed` once it is given up, or where the last redelivery failed.
    status: Literal["pending", "delivered", "failed"]
    # The number of attempts to deliver the event.
    attempts: int
    # The reason why the last attempt failed; null where it did not fail.
    reason: Optional[str]


class WebhookMessage(TypedDict):
    """What is sent to a webhook: one event."""

    # The type of the event.
    type: Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]
    # The virtual instant of the event.
    timestamp: str
    # The identifier of the sandbox in which the event happened.
    sandbox_id: str
    # The event.
    data: Event


class WebhookWithSecret(TypedDict):
    """A webhook, with its secret."""

    # The identifier of the webhook.
    webhook_id: str
    # The address that events are sent to.
    url: str
    # The types of the events that are sent to the webhook; null for all.
    event_types: Optional[List[Literal["subscription.created", "subscription.trial_ended", "subscription.activated", "subscription.renewed", "subscription.plan_changed", "subscription.plan_change_scheduled", "subscription.paused", "subscription.resumed", "subscription.cancel_scheduled", "subscription.cancellation_removed", "subscription.canceled", "subscription.expired", "subscription.past_due", "subscription.recovered", "discount.applied", "discount.replaced", "discount.ended", "trial.extended", "invoice.created", "invoice.credited", "invoice.paid", "invoice.voided", "invoice.uncollectible", "payment.succeeded", "payment.failed", "charge.succeeded", "charge.failed", "token.issued", "token.refreshed", "token.revoked", "token.reuse_detected", "sandbox.reset", "sandbox.restored"]]]
    # The number of the last event that needs no further delivery: it was delivered, its delivery failed, or it happened before the webhook was created.
    done_seq: int
    # The number of events of any type that were never sent to the webhook, because it was so far behind that they were no longer kept: the newest 100000 are.
    skipped: int
    # The secret that deliveries are signed with; it is never answered again.
    secret: str


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
    """The answer to a change."""

    # The `operationId` of the operation.
    operation: Literal["createSubscription", "updateSubscription", "pauseSubscription", "cancelSubscription", "applyCoupon", "createProduct", "changeProduct", "deleteProduct", "createPlan", "changePlan", "deletePlan", "createCustomer", "changeCustomer", "deleteCustomer", "createCoupon", "changeCoupon", "deleteCoupon", "createPromotion", "changePromotion", "deletePromotion", "createSubscriptionAtCheckout", "resumeSubscription", "removeScheduledCancellation", "payInvoice", "createCharge", "scriptPaymentOutcomes", "removePaymentOutcomes", "clearPaymentOutcomes", "changeSettings"]
    # The body of the answer; null where the operation answers without a body.
    body: Optional[Union[Subscription, Product, Plan, Customer, Coupon, Promotion, SubscriptionRecord, Invoice, Charge, PaymentScript, Settings]]


class WhatIfCustomer(TypedDict):
    """The sums of one customer in both futures."""

    # The identifier of the customer who is billed.
    customer_id: str
    # The ISO 4217 code of the currency.
    currency: str
    # The sums without the changes.
    as_is: Money
    # The sums with the changes.
    changed: Money
    # How much more each sum is with the changes.
    difference: MoneyDifference


class WhatIfInvoice(TypedDict):
    """An invoice that differs, or that only one future has."""

    # The identifier of the subscription that is billed.
    subscription_id: str
    # The identifier of the customer who pays.
    customer_id: str
    # The reason of the invoice.
    reason: Literal["period", "proration"]
    # The ISO 4217 code of the currency.
    currency: str
    # The instant at which the invoice was made.
    created_at: str
    # The invoice without the changes; null where it is not made then.
    as_is: Optional[WhatIfInvoiceSide]
    # The invoice with the changes; null where it is not made then.
    changed: Optional[WhatIfInvoiceSide]


class WhatIfInvoiceSide(TypedDict):
    """An invoice at the end of one future."""

    # The identifier of the invoice.
    invoice_id: str
    # The status of the invoice.
    status: Literal["open", "paid", "void", "uncollectible"]
    # The sum of the lines, in minor units.
    subtotal: int
    # The sum of the discounts, in minor units.
    discount_total: int
    # The amount that the balance of the customer paid, in minor units; negative where the invoice credits the balance.
    balance_used: int
    # The amount to pay, in minor units: `subtotal` - `discount_total` - `balance_used`.
    amount_due: int
    # The amount that was collected, in minor units.
    amount_paid: int
    # The instant at which the invoice was paid, or null.
    paid_at: Optional[str]
    # The payment attempts for the invoice, oldest first.
    attempts: List[WhatIfInvoiceSideAttempt]
    # The plans that its lines bill or credit, in their order.
    plans: List[str]


class WhatIfInvoiceSideAttempt(TypedDict):
    # The instant of the attempt.
    at: str
    # The outcome of the attempt.
    outcome: Literal["succeeded", "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"]


class WhatIfMoney(TypedDict):
    """The sums of both futures in one currency."""

    # The ISO 4217 code of the currency.
    currency: str
    # The sums without the changes.
    as_is: Money
    # The sums with the changes.
    changed: Money
    # How much more each sum is with the changes.
    difference: MoneyDifference


class WhatIfSubscription(TypedDict):
    """A subscription whose status or end differs."""

    # The identifier of the subscription.
    subscription_id: str
    # The identifier of the customer who is billed.
    customer_id: str
    # The status without the changes; null where the subscription does not exist then.
    as_is: Optional[Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]]
    # The status with the changes; null where the subscription does not exist then.
    changed: Optional[Union[Literal["trialing", "active", "past_due", "paused", "canceled", "expired"], str]]
    # When it ended without the changes; null where it has not ended.
    as_is_ended_at: Optional[str]
    # When it ended with the changes; null where it has not ended.
    changed_ended_at: Optional[str]


# Something that happened.
Event = Union[
    SubscriptionCreatedEvent,
    SubscriptionTrialEndedEvent,
    SubscriptionActivatedEvent,
    SubscriptionRenewedEvent,
    SubscriptionPlanChangedEvent,
    SubscriptionPlanChangeScheduledEvent,
    SubscriptionPausedEvent,
    SubscriptionResumedEvent,
    SubscriptionCancelScheduledEvent,
    SubscriptionCancellationRemovedEvent,
    SubscriptionCanceledEvent,
    SubscriptionExpiredEvent,
    SubscriptionPastDueEvent,
    SubscriptionRecoveredEvent,
    DiscountAppliedEvent,
    DiscountReplacedEvent,
    DiscountEndedEvent,
    TrialExtendedEvent,
    InvoiceCreatedEvent,
    InvoiceCreditedEvent,
    InvoicePaidEvent,
    InvoiceVoidedEvent,
    InvoiceUncollectibleEvent,
    PaymentSucceededEvent,
    PaymentFailedEvent,
    ChargeSucceededEvent,
    ChargeFailedEvent,
    TokenIssuedEvent,
    TokenRefreshedEvent,
    TokenRevokedEvent,
    TokenReuseDetectedEvent,
    SandboxResetEvent,
    SandboxRestoredEvent,
]
