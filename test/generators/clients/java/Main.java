import control.api.ClockApi;
import control.api.TokensApi;
import control.model.ClockAdvance;
import control.model.ClockAdvanceBy;
import control.model.TokenIssue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import v1.ApiException;
import v1.api.AuthenticationApi;
import v1.api.SubscriptionsApi;
import v1.model.ApplyCoupon;
import v1.model.RefreshRequest;
import v1.model.Subscription;
import v1.model.SubscriptionCancel;
import v1.model.SubscriptionCreate;
import v1.model.SubscriptionUpdate;

/** The Java clients of openapi-generator; Library holds what differs between its libraries. */
public class Main {
  public static void main(String[] args) throws Exception {
    SubscriptionsApi subscriptions =
        new SubscriptionsApi(Library.client(System.getenv("API_KEY")));
    control.ApiClient sandbox = Library.sandbox();

    List<Subscription> answers = new ArrayList<>();
    Subscription created =
        subscriptions.createSubscription(
            new SubscriptionCreate().customerId("cus_ada").plan("basic").trialPeriodDays(14L));
    String id = created.getSubscriptionId();
    answers.add(created);
    answers.add(subscriptions.applyCoupon(id, new ApplyCoupon().couponId("SAVE20")));
    ClockAdvance advance = new ClockAdvance(new ClockAdvanceBy().by("P15D"));
    new ClockApi(sandbox).advanceClock(advance, null);
    answers.add(subscriptions.updateSubscription(id, new SubscriptionUpdate().plan("pro")));
    answers.add(subscriptions.pauseSubscription(id));
    new control.api.SubscriptionsApi(sandbox).resumeSubscription(id, null);
    SubscriptionCancel cancel = new SubscriptionCancel().atPeriodEnd(true);
    Subscription ending = subscriptions.cancelSubscription(id, cancel);
    answers.add(ending);

    String token = new TokensApi(sandbox).issueTokens(null, new TokenIssue()).getRefreshToken();
    String refreshed =
        new AuthenticationApi(Library.client(token))
            .refreshToken(new RefreshRequest().refreshToken(token))
            .getAccessToken();

    Map<String, Object> read = new LinkedHashMap<>();
    try {
      subscriptions.updateSubscription("sub_none", new SubscriptionUpdate().plan("pro"));
    } catch (ApiException refusal) {
      read.put("error", Library.error(refusal.getResponseBody()).getError());
    }
    read.put("subscription_id", id);
    read.put("statuses", answers.stream().map(Subscription::getStatus).toList());
    read.put("plan", ending.getPlan());
    read.put("access_token", refreshed);
    System.out.println(Library.json(read));
  }
}
