import com.google.gson.GsonBuilder;
import v1.ApiClient;
import v1.model.Error;

/** OkHttp and Gson. */
class Library {
  static ApiClient client(String token) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
    client.addDefaultHeader("Authorization", "Bearer " + token);
    return client;
  }

  static control.ApiClient sandbox() {
    return new control.ApiClient().setBasePath(System.getenv("CONTROL_URL"));
  }

  static Error error(String body) throws Exception {
    return Error.fromJson(body);
  }

  static String json(Object value) {
    return new GsonBuilder().serializeNulls().create().toJson(value);
  }
}
