/** A recording as browsers and proxies write it (HAR 1.2). */
export const SAMPLE_KEY = 'sk_live_0123456789abcdef'

/** One exchange with the service: a form, with a key and a cookie, answered in base64. */
export const sampleEntry = {
  startedDateTime: '2027-01-01T10:00:00.123+02:00',
  request: {
    method: 'post',
    url: 'https://service.example/billing/v1/subscriptions',
    headers: [
      { name: 'Authorization', value: `Bearer ${SAMPLE_KEY}` },
      { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
      { name: 'Cookie', value: 'session=abc' },
    ],
    postData: {
      params: [
        { name: 'customer_id', value: 'cus_ada' },
        { name: 'plan', value: 'a b' },
      ],
    },
  },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { text: Buffer.from('{"status":"active"}').toString('base64'), encoding: 'base64' },
  },
}

/** A file of these entries. */
export const har = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', entries } })
