// The clients of oapi-codegen: in JSON, and in forms.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"client/control"
	"client/v1"
)

var ctx = context.Background()
var days = int64(14)
var yes = true

func bearer(token string) v1.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
}

func main() {
	api, err := v1.NewClientWithResponses(os.Getenv("BASE_URL"))
	check(err)
	sandbox, err := control.NewClientWithResponses(os.Getenv("CONTROL_URL"))
	check(err)
	key := bearer(os.Getenv("API_KEY"))

	created, err := api.CreateSubscriptionWithResponse(ctx,
		v1.SubscriptionCreate{CustomerId: "cus_ada", Plan: "basic", TrialPeriodDays: &days}, key)
	check(err)
	id := *created.JSON200.SubscriptionId
	discounted, err := api.ApplyCouponWithResponse(ctx, id, v1.ApplyCoupon{CouponId: "SAVE20"}, key)
	check(err)
	advance(sandbox)
	upgraded, err := api.UpdateSubscriptionWithResponse(ctx, id, v1.SubscriptionUpdate{Plan: "pro"}, key)
	check(err)
	paused := pauseAndResume(api, sandbox, id, key)
	ending, err := api.CancelSubscriptionWithResponse(ctx, id, v1.SubscriptionCancel{AtPeriodEnd: &yes}, key)
	check(err)
	refusal, err := api.UpdateSubscriptionWithResponse(ctx, "sub_none", v1.SubscriptionUpdate{Plan: "pro"}, key)
	check(err)
	print(map[string]any{
		"subscription_id": id,
		"statuses": []*string{
			created.JSON200.Status, discounted.JSON200.Status, upgraded.JSON200.Status, paused, ending.JSON200.Status,
		},
		"plan":         ending.JSON200.Plan,
		"access_token": refresh(api, sandbox),
		"error":        refusal.JSON404.Error,
	})

	created, err = api.CreateSubscriptionWithFormdataBodyWithResponse(ctx,
		v1.SubscriptionCreateForm{CustomerId: "cus_ada", Plan: "basic", TrialPeriodDays: &days}, key)
	check(err)
	id = *created.JSON200.SubscriptionId
	discounted, err = api.ApplyCouponWithFormdataBodyWithResponse(ctx, id, v1.ApplyCouponForm{CouponId: "SAVE20"}, key)
	check(err)
	advance(sandbox)
	form := v1.SubscriptionUpdateForm{Plan: "pro"}
	upgraded, err = api.UpdateSubscriptionWithFormdataBodyWithResponse(ctx, id, form, key)
	check(err)
	paused = pauseAndResume(api, sandbox, id, key)
	ending, err = api.CancelSubscriptionWithFormdataBodyWithResponse(ctx, id,
		v1.SubscriptionCancelForm{AtPeriodEnd: &yes}, key)
	check(err)
	refusal, err = api.UpdateSubscriptionWithFormdataBodyWithResponse(ctx, "sub_none", form, key)
	check(err)
	print(map[string]any{
		"subscription_id": id,
		"statuses": []*string{
			created.JSON200.Status, discounted.JSON200.Status, upgraded.JSON200.Status, paused, ending.JSON200.Status,
		},
		"plan":         ending.JSON200.Plan,
		"access_token": refresh(api, sandbox),
		"error":        refusal.JSON404.Error,
	})
}

func advance(sandbox *control.ClientWithResponses) {
	var body control.ClockAdvance
	check(body.FromClockAdvanceBy(control.ClockAdvanceBy{By: "P15D"}))
	advanced, err := sandbox.AdvanceClockWithResponse(ctx, &control.AdvanceClockParams{}, body)
	check(err)
	if advanced.JSON200 == nil {
		panic(string(advanced.Body))
	}
}

func pauseAndResume(
	api *v1.ClientWithResponses, sandbox *control.ClientWithResponses, id string, key v1.RequestEditorFn,
) *string {
	paused, err := api.PauseSubscriptionWithResponse(ctx, id, key)
	check(err)
	resumed, err := sandbox.ResumeSubscriptionWithResponse(ctx, id, &control.ResumeSubscriptionParams{})
	check(err)
	if resumed.JSON200 == nil {
		panic(string(resumed.Body))
	}
	return paused.JSON200.Status
}

func refresh(api *v1.ClientWithResponses, sandbox *control.ClientWithResponses) string {
	issued, err := sandbox.IssueTokensWithResponse(ctx, &control.IssueTokensParams{}, control.TokenIssue{})
	check(err)
	token := issued.JSON200.RefreshToken
	refreshed, err := api.RefreshTokenWithResponse(ctx, v1.RefreshRequest{RefreshToken: token}, bearer(token))
	check(err)
	return refreshed.JSON200.AccessToken
}

func print(read map[string]any) {
	check(json.NewEncoder(os.Stdout).Encode(read))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
