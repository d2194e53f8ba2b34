// The Go clients of openapi-generator.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"client/control"
	"client/v1"
)

func main() {
	configuration := v1.NewConfiguration()
	configuration.Servers = v1.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := v1.NewAPIClient(configuration)
	sandboxConfiguration := control.NewConfiguration()
	sandboxConfiguration.Servers = control.ServerConfigurations{{URL: os.Getenv("CONTROL_URL")}}
	sandbox := control.NewAPIClient(sandboxConfiguration)
	none := context.Background()
	ctx := context.WithValue(none, v1.ContextAccessToken, os.Getenv("API_KEY"))

	order := v1.NewSubscriptionCreate("cus_ada", "basic")
	order.SetTrialPeriodDays(14)
	created, _, err := api.SubscriptionsAPI.CreateSubscription(ctx).SubscriptionCreate(*order).Execute()
	check(err)
	id := created.GetSubscriptionId()
	discounted, _, err := api.SubscriptionsAPI.ApplyCoupon(ctx, id).
		ApplyCoupon(*v1.NewApplyCoupon("SAVE20")).Execute()
	check(err)
	advance := control.ClockAdvanceByAsClockAdvance(control.NewClockAdvanceBy("P15D"))
	_, _, err = sandbox.ClockAPI.AdvanceClock(none).ClockAdvance(advance).Execute()
	check(err)
	plan := *v1.NewSubscriptionUpdate("pro")
	upgraded, _, err := api.SubscriptionsAPI.UpdateSubscription(ctx, id).SubscriptionUpdate(plan).Execute()
	check(err)
	paused, _, err := api.SubscriptionsAPI.PauseSubscription(ctx, id).Execute()
	check(err)
	_, _, err = sandbox.SubscriptionsAPI.ResumeSubscription(none, id).Execute()
	check(err)
	cancel := v1.NewSubscriptionCancel()
	cancel.SetAtPeriodEnd(true)
	ending, _, err := api.SubscriptionsAPI.CancelSubscription(ctx, id).SubscriptionCancel(*cancel).Execute()
	check(err)

	issued, _, err := sandbox.TokensAPI.IssueTokens(none).TokenIssue(*control.NewTokenIssue()).Execute()
	check(err)
	holder := context.WithValue(none, v1.ContextAccessToken, issued.RefreshToken)
	refreshed, _, err := api.AuthenticationAPI.RefreshToken(holder).
		RefreshRequest(*v1.NewRefreshRequest(issued.RefreshToken)).Execute()
	check(err)

	_, _, err = api.SubscriptionsAPI.UpdateSubscription(ctx, "sub_none").SubscriptionUpdate(plan).Execute()
	var refusal *v1.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		panic(err)
	}
	statuses := []*string{
		created.Status, discounted.Status, upgraded.Status, paused.Status, ending.Status,
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"subscription_id": id,
		"statuses":        statuses,
		"plan":            ending.Plan,
		"access_token":    refreshed.AccessToken,
		"error":           refusal.Model().(v1.Error).Error,
	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
