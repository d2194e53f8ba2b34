import org.openapitools.client.ApiClient;
import org.openapitools.client.api.SubscriptionsApi;
import org.openapitools.client.model.ApplyCoupon;
import org.openapitools.client.model.Subscription;
import org.openapitools.client.model.SubscriptionCancel;
import org.openapitools.client.model.SubscriptionCreate;

/** The Java client of openapi-generator. */
public class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    SubscriptionsApi subscriptions = new SubscriptionsApi(client);
    Subscription created =
        subscriptions.createSubscription(
            new SubscriptionCreate().customerId("cus_ada").plan("basic").trialPeriodDays(14L));
    String id = created.getSubscriptionId();
    subscriptions.applyCoupon(id, new ApplyCoupon().couponId("SAVE20"));
    Subscription ending =
        subscriptions.cancelSubscription(id, new SubscriptionCancel().atPeriodEnd(true));
    System.out.println(client.getObjectMapper().writeValueAsString(ending));
  }
}
