import static org.junit.jupiter.api.Assertions.assertEquals;

import au.com.dius.pact.core.model.Interaction;
import au.com.dius.pact.core.model.Pact;
import au.com.dius.pact.core.model.ProviderState;
import au.com.dius.pact.core.support.Json;
import au.com.dius.pact.core.support.json.JsonParser;
import au.com.dius.pact.provider.junit5.HttpTestTarget;
import au.com.dius.pact.provider.junit5.PactVerificationContext;
import au.com.dius.pact.provider.junit5.PactVerificationInvocationContextProvider;
import au.com.dius.pact.provider.junitsupport.IgnoreMissingStateChange;
import au.com.dius.pact.provider.junitsupport.Provider;
import au.com.dius.pact.provider.junitsupport.loader.PactBroker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import kotlin.Pair;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Verifies every pact that was published to the sandbox at -Dsandbox, with the verifier of pact-jvm. */
@Provider("subscription-service")
@PactBroker(url = "${sandbox}/sandbox/broker")
@IgnoreMissingStateChange
@EnabledIfSystemProperty(named = "sandbox", matches = ".+")
class VerifyPactsTest {
  private static final URI SANDBOX = URI.create(System.getProperty("sandbox", ""));

  /** What the states answer, such as identifiers. */
  private final Map<String, Object> values = new HashMap<>();

  @BeforeEach
  void setUp(PactVerificationContext context) throws Exception {
    context.setTarget(new Sandbox());
    post(Map.of("action", "teardown"));
    for (ProviderState state : context.getInteraction().getProviderStates()) {
      values.putAll(
          post(Map.of("action", "setup", "state", state.getName(), "params", state.getParams())));
    }
  }

  /** Gives the generators of a pact what the states answered, which pact-jvm does for methods of states alone. */
  private class Sandbox extends HttpTestTarget {
    Sandbox() {
      super(SANDBOX.getHost(), SANDBOX.getPort());
    }

    @Override
    public Pair<Object, Object> prepareRequest(
        Pact pact, Interaction interaction, Map<String, Object> context) {
      context.put("providerState", values);
      return super.prepareRequest(pact, interaction, context);
    }
  }

  @TestTemplate
  @ExtendWith(PactVerificationInvocationContextProvider.class)
  void keepsThePact(PactVerificationContext context) {
    context.verifyInteraction();
  }

  /** The sandbox sets every state of its catalogue up, so that no method for each is needed here. */
  private static Map<String, Object> post(Map<String, Object> change) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(SANDBOX.resolve("/sandbox/provider-states"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(Json.INSTANCE.toJson(change).serialise()))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return Json.INSTANCE.toMap(JsonParser.INSTANCE.parseString(answer.body()));
  }
}
