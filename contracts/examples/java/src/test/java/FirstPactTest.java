import static org.junit.jupiter.api.Assertions.assertEquals;

import au.com.dius.pact.consumer.MockServer;
import au.com.dius.pact.consumer.dsl.PactDslJsonBody;
import au.com.dius.pact.consumer.dsl.PactDslWithProvider;
import au.com.dius.pact.consumer.junit5.PactConsumerTestExt;
import au.com.dius.pact.consumer.junit5.PactTestFor;
import au.com.dius.pact.core.model.PactSpecVersion;
import au.com.dius.pact.core.model.RequestResponsePact;
import au.com.dius.pact.core.model.annotations.Pact;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.apache.hc.core5.http.ContentType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A first pact from Java: one interaction of the shop "my-java-shop", played against a mock and written down. */
@ExtendWith(PactConsumerTestExt.class)
@PactTestFor(providerName = "subscription-service", pactVersion = PactSpecVersion.V3)
class FirstPactTest {
  private static final String PATH = "/v1/subscriptions/sub_mine/apply-coupon";
  private static final String FORM = "application/x-www-form-urlencoded; charset=ISO-8859-1";
  private static final String KEY = "Bearer sk_sandbox_default";

  @Pact(consumer = "my-java-shop")
  RequestResponsePact applyCoupon(PactDslWithProvider provider) {
    return provider
        .given("a subscription exists", Map.of("subscription_id", "sub_mine", "plan", "basic"))
        .given("a coupon exists", Map.of("coupon_id", "SAVE20"))
        .uponReceiving("a form that applies a coupon")
        .method("POST")
        .path(PATH)
        .headers(Map.of("Authorization", KEY))
        .body("coupon_id=SAVE20", ContentType.APPLICATION_FORM_URLENCODED)
        .willRespondWith()
        .status(200)
        .headers(Map.of("Content-Type", "application/json"))
        .body(new PactDslJsonBody().stringType("customer_id", "cus_ada").stringType("plan", "basic"))
        .toPact();
  }

  @Test
  void appliesACoupon(MockServer mock) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(mock.getUrl() + PATH))
            .header("Authorization", KEY)
            .header("Content-Type", FORM)
            .POST(HttpRequest.BodyPublishers.ofString("coupon_id=SAVE20"))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
  }
}
