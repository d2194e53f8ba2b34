//! The Rust clients of openapi-generator.

use control::apis::{clock_api, subscriptions_api as sandbox_subscriptions, tokens_api};
use control::models::{ClockAdvance, ClockAdvanceBy, TokenIssue};
use std::{env, error};
use v1::apis::{
    authentication_api, configuration::Configuration,
    subscriptions_api::{self as subscriptions, UpdateSubscriptionError},
    Error,
};
use v1::models::{
    ApplyCoupon, RefreshRequest, SubscriptionCancel, SubscriptionCreate, SubscriptionUpdate,
};

fn client(token: String) -> Result<Configuration, env::VarError> {
    let mut configuration = Configuration::new();
    configuration.base_path = env::var("BASE_URL")?;
    configuration.bearer_access_token = Some(token);
    Ok(configuration)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn error::Error>> {
    let v1 = client(env::var("API_KEY")?)?;
    let mut sandbox = control::apis::configuration::Configuration::new();
    sandbox.base_path = env::var("CONTROL_URL")?;

    let mut order = SubscriptionCreate::new("cus_ada".into(), "basic".into());
    order.trial_period_days = Some(14);
    let created = subscriptions::create_subscription(&v1, order).await?;
    let id = created.subscription_id.clone().ok_or("no subscription_id")?;
    let coupon = ApplyCoupon::new("SAVE20".into());
    let discounted = subscriptions::apply_coupon(&v1, &id, coupon).await?;
    let by = ClockAdvanceBy::new("P15D".into());
    clock_api::advance_clock(&sandbox, ClockAdvance::ClockAdvanceBy(Box::new(by)), None).await?;
    let plan = SubscriptionUpdate::new("pro".into());
    let upgraded = subscriptions::update_subscription(&v1, &id, plan.clone()).await?;
    let paused = subscriptions::pause_subscription(&v1, &id).await?;
    sandbox_subscriptions::resume_subscription(&sandbox, &id, None).await?;
    let cancel = SubscriptionCancel { at_period_end: Some(true) };
    let ending = subscriptions::cancel_subscription(&v1, &id, Some(cancel)).await?;

    let issued = tokens_api::issue_tokens(&sandbox, None, Some(TokenIssue::new())).await?;
    let holder = client(issued.refresh_token.clone())?;
    let request = RefreshRequest::new(issued.refresh_token);
    let refreshed = authentication_api::refresh_token(&holder, request).await?;

    let refusal = match subscriptions::update_subscription(&v1, "sub_none", plan).await {
        Err(Error::ResponseError(response)) => response.entity,
        _ => None,
    };
    // The variants of errors are tried in their order, whatever the status is.
    let error = match refusal {
        Some(UpdateSubscriptionError::Status400(body)) => Some(body.error),
        _ => None,
    };
    let answers = [created, discounted, upgraded, paused, ending.clone()];
    let read = serde_json::json!({
        "subscription_id": id,
        "statuses": answers.map(|answer| answer.status),
        "plan": ending.plan,
        "access_token": refreshed.access_token,
        "error": error,
    });
    println!("{read}");
    Ok(())
}
