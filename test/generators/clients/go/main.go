// The client of oapi-codegen: in JSON, and in forms.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("BASE_URL"), WithRequestEditorFn(authorize))
	check(err)
	days := int64(14)
	yes := true

	created, err := client.CreateSubscriptionWithResponse(ctx,
		SubscriptionCreate{CustomerId: "cus_ada", Plan: "basic", TrialPeriodDays: &days})
	check(err)
	id := created.JSON200.SubscriptionId
	_, err = client.ApplyCouponWithResponse(ctx, id, ApplyCoupon{CouponId: "SAVE20"})
	check(err)
	ending, err := client.CancelSubscriptionWithResponse(ctx, id, SubscriptionCancel{AtPeriodEnd: &yes})
	check(err)
	fmt.Println(string(ending.Body))

	created, err = client.CreateSubscriptionWithFormdataBodyWithResponse(ctx,
		SubscriptionCreateForm{CustomerId: "cus_ada", Plan: "basic", TrialPeriodDays: &days})
	check(err)
	id = created.JSON200.SubscriptionId
	_, err = client.ApplyCouponWithFormdataBodyWithResponse(ctx, id, ApplyCouponForm{CouponId: "SAVE20"})
	check(err)
	ending, err = client.CancelSubscriptionWithFormdataBodyWithResponse(ctx, id,
		SubscriptionCancelForm{AtPeriodEnd: &yes})
	check(err)
	fmt.Println(string(ending.Body))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
