"""The billing of a shop: what is under test. It knows the documented operations, and no sandbox."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Refused(Exception):
    """The service refused a call."""


class Billing:
    """Subscriptions of the shop's customers."""

    def __init__(self, url: str, api_key: str) -> None:
        self._url = url
        self._api_key = api_key

    def subscribe(self, customer: str, plan: str, trial_days: Optional[int] = None) -> str:
        fields = {"customer_id": customer, "plan": plan}
        if trial_days is not None:
            fields["trial_period_days"] = str(trial_days)
        return str(self._post("/v1/subscriptions", fields)["subscription_id"])

    def redeem(self, subscription: str, coupon: str) -> None:
        self._post(f"/v1/subscriptions/{subscription}/apply-coupon", {"coupon_id": coupon})

    def cancel_at_period_end(self, subscription: str) -> None:
        self._post(f"/v1/subscriptions/{subscription}/cancel", {"at_period_end": "true"})

    def _post(self, path: str, fields: Dict[str, str]) -> Dict[str, Any]:
        request = Request(
            self._url + path,
            data=urlencode(fields).encode(),
            headers={"Authorization": f"Bearer {self._api_key}"},
        )
        try:
            with urlopen(request) as answer:
                found: Dict[str, Any] = json.load(answer)
                return found
        except HTTPError as error:
            raise Refused(json.load(error)["message"]) from error
