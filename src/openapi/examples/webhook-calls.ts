/** The example calls of webhooks. */
import { EXAMPLE_WEBHOOK_SECRET, type ExampleAnswers, type ExampleCalls } from './call.ts'

/** The calls, given the answers so far. */
export const webhookCalls = (answers: ExampleAnswers): ExampleCalls => ({
  listWebhooks: { example: { query: { limit: 2 } } },
  createWebhook: {
    example: {
      body: {
        url: 'http://127.0.0.1:3000/hooks',
        event_types: ['payment.failed', 'subscription.canceled'],
        secret: EXAMPLE_WEBHOOK_SECRET,
      },
    },
  },
  retrieveWebhook: { example: { params: { webhook_id: 'wh_000001' } } },
  deleteWebhook: { example: { params: { webhook_id: 'wh_000002' } } },
  listWebhookDeliveries: { example: { query: { limit: 2, status: 'failed' } } },
  redeliverWebhookDelivery: { example: { params: { delivery_id: deliveryIn(answers) } } },
})

/** The delivery that a list was answered. */
function deliveryIn(answers: ExampleAnswers): string {
  const list = answers['listWebhookDeliveries']?.['example']?.body
  const [delivery] = (list as { data: { delivery_id: string }[] } | undefined)?.data ?? []
  return delivery?.delivery_id ?? ''
}
