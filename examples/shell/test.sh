#!/bin/sh
# The billing of a shop, tested by a shell script: subscription-sandbox exec -- ./test.sh
set -eu

billing() { curl -sS --fail-with-body -H "Authorization: Bearer $SANDBOX_API_KEY" "$@"; }

subscribe() {
  billing "$SANDBOX_URL/v1/subscriptions" -d customer_id="$1" -d plan="$2" -d trial_period_days="$3" \
    | sed 's/.*"subscription_id":"\([^"]*\)".*/\1/'
}

expect() {
  [ "$1" = "$2" ] || { echo "expected $2, got $1" >&2; exit 1; }
}

subscription=$(subscribe cus_ada pro 14)
billing "$SANDBOX_URL/v1/subscriptions/$subscription/apply-coupon" -d coupon_id=SAVE20 > /dev/null
npx subscription-sandbox clock advance P14D > /dev/null
paid=$(npx subscription-sandbox invoices --json | grep -o '"amount_paid": *[0-9]*' | grep -o '[0-9]*')
expect "$paid" 2000

npx subscription-sandbox payments fail --subscription-id "$subscription" > /dev/null
npx subscription-sandbox clock advance --until "$subscription=past_due" > /dev/null
npx subscription-sandbox clock advance --until "$subscription=active" > /dev/null
echo "A trial, a coupon, and a failed card that recovered: all as expected."
