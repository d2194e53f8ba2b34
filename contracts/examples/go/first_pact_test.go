package shop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pact-foundation/pact-go/v2/consumer"
	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/pact-foundation/pact-go/v2/models"
)

const key = "Bearer sk_sandbox_default"
const form = "application/x-www-form-urlencoded"

// A first pact: one interaction of the shop "my-go-shop", played against a mock and written into the folder pacts.
func TestUpgradesASubscription(t *testing.T) {
	pact, err := consumer.NewV4Pact(consumer.MockHTTPProviderConfig{
		Consumer: "my-go-shop",
		Provider: "subscription-service",
		PactDir:  "pacts",
	})
	if err != nil {
		t.Fatal(err)
	}
	err = pact.AddInteraction().
		GivenWithParameter(models.ProviderState{
			Name:       "a subscription exists",
			Parameters: map[string]any{"subscription_id": "sub_mine", "plan": "basic"},
		}).
		UponReceiving("a form that upgrades a subscription").
		WithRequest("POST", "/v1/subscriptions/sub_mine/update", func(b *consumer.V4RequestBuilder) {
			b.Header("Authorization", matchers.String(key))
			b.Header("Content-Type", matchers.String(form))
			b.Body(form, []byte("plan=pro"))
		}).
		WillRespondWith(200, func(b *consumer.V4ResponseBuilder) {
			b.JSONBody(matchers.Map{"customer_id": matchers.Like("cus_ada"), "plan": matchers.Like("pro")})
		}).
		ExecuteTest(t, func(config consumer.MockServerConfig) error {
			url := fmt.Sprintf("http://%s:%d/v1/subscriptions/sub_mine/update", config.Host, config.Port)
			request, err := http.NewRequest("POST", url, strings.NewReader("plan=pro"))
			if err != nil {
				return err
			}
			request.Header.Set("Authorization", key)
			request.Header.Set("Content-Type", form)
			answer, err := http.DefaultClient.Do(request)
			if err == nil && answer.StatusCode != 200 {
				err = fmt.Errorf("the answer is %s", answer.Status)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
}
