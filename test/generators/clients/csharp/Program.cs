// The C# clients of openapi-generator (`httpclient`).
using System;
using System.Collections.Generic;
using System.Linq;
using Newtonsoft.Json;
using v1.Api;
using v1.Client;
using v1.Model;
using ClockAdvance = control.Model.ClockAdvance;
using ClockAdvanceBy = control.Model.ClockAdvanceBy;
using ClockApi = control.Api.ClockApi;
using TokenIssue = control.Model.TokenIssue;
using TokensApi = control.Api.TokensApi;

static string Variable(string name) => Environment.GetEnvironmentVariable(name) ?? "";
static Configuration Bearer(string token) =>
    new() { BasePath = Variable("BASE_URL"), AccessToken = token };

var subscriptions = new SubscriptionsApi(Bearer(Variable("API_KEY")));
var sandbox = Variable("CONTROL_URL");

var created = subscriptions.CreateSubscription(new SubscriptionCreate("cus_ada", "basic", 14));
var id = created.SubscriptionId;
var discounted = subscriptions.ApplyCoupon(id, new ApplyCoupon("SAVE20"));
new ClockApi(sandbox).AdvanceClock(new ClockAdvance(new ClockAdvanceBy("P15D")));
var plan = new SubscriptionUpdate("pro");
var upgraded = subscriptions.UpdateSubscription(id, plan);
var paused = subscriptions.PauseSubscription(id);
new control.Api.SubscriptionsApi(sandbox).ResumeSubscription(id);
var ending = subscriptions.CancelSubscription(id, new SubscriptionCancel(atPeriodEnd: true));

var token = new TokensApi(sandbox).IssueTokens(tokenIssue: new TokenIssue()).RefreshToken;
var refreshed = new AuthenticationApi(Bearer(token)).RefreshToken(new RefreshRequest(token));

var read = new Dictionary<string, object>
{
    ["subscription_id"] = id,
    ["statuses"] = new[] { created, discounted, upgraded, paused, ending }.Select(each => each.Status),
    ["plan"] = ending.Plan,
    ["access_token"] = refreshed.AccessToken,
};
try
{
    subscriptions.UpdateSubscription("sub_none", plan);
}
catch (ApiException refusal)
{
    var body = (string)refusal.ErrorContent;
    read["error"] = JsonConvert.DeserializeObject<Error>(body)!.VarError;
}
Console.WriteLine(JsonConvert.SerializeObject(read));
