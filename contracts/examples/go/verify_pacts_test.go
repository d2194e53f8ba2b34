package shop

import (
	"os"
	"testing"

	"github.com/pact-foundation/pact-go/v2/provider"
)

// Verifies every pact that was published to the sandbox at SANDBOX_URL.
func TestVerifiesThePublishedPacts(t *testing.T) {
	sandbox := os.Getenv("SANDBOX_URL")
	if sandbox == "" {
		t.Skip("SANDBOX_URL is not set: there is no sandbox to verify")
	}
	err := provider.NewVerifier().VerifyProvider(t, provider.VerifyRequest{
		Provider:               "subscription-service",
		ProviderBaseURL:        sandbox,
		ProviderStatesSetupURL: sandbox + "/sandbox/provider-states",
		BrokerURL:              sandbox + "/sandbox/broker",
		ProviderVersion:        "2.0",
	})
	if err != nil {
		t.Fatal(err)
	}
}
