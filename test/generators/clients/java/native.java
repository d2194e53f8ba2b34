import v1.ApiClient;
import v1.model.Error;

/** The client of the JDK, and Jackson. */
class Library {
  static ApiClient client(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  static control.ApiClient sandbox() {
    control.ApiClient sandbox = new control.ApiClient();
    sandbox.updateBaseUri(System.getenv("CONTROL_URL"));
    return sandbox;
  }

  static Error error(String body) throws Exception {
    return new ApiClient().getObjectMapper().readValue(body, Error.class);
  }

  static String json(Object value) throws Exception {
    return new ApiClient().getObjectMapper().writeValueAsString(value);
  }
}
