/**
 * The histories in which hints of coverage are looked for: lines of a shell, each history from a fresh sandbox. Owns no
 * hint: what a history reaches is found by running it.
 */

import * as z from 'zod'
import {
  initialSettings,
  type SettingName,
  settingAssumptions,
} from '../../src/assumptions/register.ts'
import { camelKeys } from '../../src/wire/common/case.ts'

const KEY = '-H "Authorization: Bearer $SANDBOX_API_KEY"'
const JSON_BODY = "-H 'Content-Type: application/json'"

/** A call of /v1, which sends a form. */
function post(path: string, ...more: readonly string[]): string {
  const line = ['curl -s -X POST', `$SANDBOX_URL/v1${path}`, KEY, ...more].join(' ')
  return more.some((each) => each.startsWith('-d')) ? line.replace(' -X POST', '') : line
}

const fields = (text: string) => text.split(' ').map((field) => `-d ${field}`)
const box = (line: string) => `subscription-sandbox ${line}`

const subscribe = (plan = 'basic', ...more: readonly string[]) =>
  post('/subscriptions', ...fields(`customer_id=cus_ada plan=${plan}`), ...more)
const trial = subscribe('basic', '-d trial_period_days=14')
const ONE = '/subscriptions/sub_000001'
const act = (command: string, more = '') =>
  box(`subscriptions ${command} sub_000001 ${more}`.trim())
const update = (plan: string) => act('update', `--plan ${plan}`)
const apply = (coupon: string) => act('apply-coupon', coupon)
const cancel = act('cancel', '--at-period-end=false')
const cancelLater = act('cancel', '--at-period-end')
const pause = act('pause')
const resume = act('resume')
const uncancel = act('uncancel')
const advance = (by: string) => box(`clock advance ${by}`)
const failing = box('payments fail --always card_declined')
const set = (text: string) => box(`settings change ${text}`)
const coupon = (text: string) => box(`coupons create ${text}`)

/** A subscription in each status that it can leave. */
const ways = {
  trialing: [trial],
  active: [subscribe()],
  past_due: [subscribe(), failing, advance('P1M')],
  paused: [subscribe(), pause],
}
const steps = [
  ...[update('pro'), pause, cancel, cancelLater, apply('SAVE20'), apply('MORETIME'), resume],
  ...[advance('P1M'), advance('P1Y')],
]

const bodies: Readonly<Record<string, string>> = {
  '/subscriptions': '{"customer_id":"cus_ada","plan":"basic"}',
  [`${ONE}/update`]: '{"plan":"pro"}',
  [`${ONE}/pause`]: '{}',
  [`${ONE}/cancel`]: '{"at_period_end":true}',
  [`${ONE}/apply-coupon`]: '{"coupon_id":"SAVE20"}',
}

const unauthorized = (path: string) =>
  `curl -s -X POST $SANDBOX_URL/v1${path} -H 'Authorization: Bearer unknown'`
const tooLarge = (path: string) => `head -c 2000000 /dev/zero | ${post(path, '--data-binary @-')}`

/** How each operation refuses what is not about its records. */
const refused = Object.entries(bodies).flatMap(([path, body]) => [
  [subscribe(), post(path, JSON_BODY, `-d '${body}'`)],
  [subscribe(), post(path, ...fieldsOf(body))],
  [subscribe(), post(path, "-d '%'")],
  [unauthorized(path)],
  [tooLarge(path)],
  [post(path, "-H 'Content-Type: text/plain'", '-d x')],
  [post(path.replace('sub_000001', 'sub_999999'), ...fieldsOf(body))],
])

function fieldsOf(body: string): string[] {
  return Object.entries(JSON.parse(body) as object).map(([name, value]) => `-d ${name}=${value}`)
}

const state = (name: string) =>
  `curl -s $SANDBOX_URL/sandbox/provider-states ${JSON_BODY} -d '{"state":"a refresh token is ${name}","params":{"refresh_token":"rt_mine"}}'`
const refreshWith = (header: string, body: string) =>
  `curl -s $SANDBOX_URL/v1/auth/refresh -H 'Authorization: Bearer ${header}' ${JSON_BODY} -d '${body}'`
const refresh = refreshWith('rt_mine', '{"refresh_token":"rt_mine"}')
const token = `TOKEN=$(subscription-sandbox tokens issue --json | cut -d '"' -f 4)`
const withToken = subscribe().replace('$SANDBOX_API_KEY', '$TOKEN')

const tokens = [
  [state('fresh'), refresh],
  [state('fresh'), refresh, refresh],
  [state('expired'), refresh],
  [state('already used'), refresh],
  [refreshWith('rt_mine', '{}')],
  [refreshWith('rt_mine', '{"refresh_token":"rt_other"}')],
  [refresh],
  [`curl -s -X POST $SANDBOX_URL/v1/auth/refresh`],
  [
    `head -c 2000000 /dev/zero | ${refreshWith('rt_mine', '').replace("-d ''", '--data-binary @-')}`,
  ],
  [set('--invalid-grant-status 403'), refresh],
  [set('--refresh-rotation keep'), state('fresh'), refresh],
  [set('--refresh-reuse-leeway 60'), state('fresh'), refresh, refresh],
  [token, withToken],
  [token, advance('PT2H'), withToken],
]

/** Values of settings that have neither words nor truth. */
const values: Readonly<Record<string, string>> = {
  'subscription-fields': 'documented',
  'success-status': '201',
  'paused-status-name': 'on_hold',
  'retry-schedule': 'P1D,P3D',
  'access-token-lifetime': '60',
  'refresh-token-lifetime': '60',
  'refresh-reuse-leeway': '60',
  'invalid-grant-status': '400',
}

/** A call with another value of each setting, and with a variation. */
const settings = [
  ...settingAssumptions.map(({ slug, schema }) => {
    const initial = camelKeys({ [slug.replaceAll('-', '_')]: '' })
    const [name = ''] = Object.keys(initial)
    const usual = String(initialSettings[name as SettingName])
    const words = schema instanceof z.ZodEnum ? schema.options.map(String) : ['true', 'false']
    return `--${slug} ${values[slug] ?? words.find((each) => each !== usual)}`
  }),
  '--vary success-status',
].map((text) => [set(text), subscribe()])

const noRetries = `curl -s -X PATCH $SANDBOX_URL/sandbox/settings ${KEY} ${JSON_BODY} -d '{"retry_schedule":[]}'`

/** What the rules of amounts and coupons rest on. */
const billing = [
  [subscribe(), advance('P10D'), update('pro'), update('basic_yearly'), advance('P1Y')],
  [subscribe('pro'), advance('P10D'), update('basic'), cancelLater, uncancel, advance('P1M')],
  [subscribe('pro_yearly'), advance('P10D'), update('basic'), advance('P1Y')],
  [subscribe(), failing, advance('P10D'), update('pro')],
  [failing, subscribe(), update('pro'), cancel],
  [
    subscribe(),
    apply('LOYAL10'),
    apply('EXTRA3'),
    apply('LOYAL10'),
    apply('EXPIRED'),
    advance('P5M'),
  ],
  [subscribe(), apply('LAST1'), apply('LAST1'), apply('PROONLY'), apply('TAKE5'), apply('WELCOME')],
  [
    subscribe(),
    apply('LAST1'),
    subscribe(),
    post('/subscriptions/sub_000002/apply-coupon', '-d coupon_id=LAST1'),
  ],
  [subscribe('pro'), apply('PROONLY'), update('basic')],
  [
    box(
      'plans create --id euro --product-id prod_app --name Euro --amount 900 --currency EUR --interval month',
    ),
    ...[subscribe('euro'), subscribe(), update('euro')],
  ],
  [coupon('--id HALF --type fixed --value 50 --currency EUR'), subscribe(), apply('HALF')],
  [
    subscribe('basic', '-d color=red'),
    cancelLater,
    act('cancel'),
    post(`${ONE}/cancel`, '-d reason=late'),
  ],
  [trial, update('pro'), apply('MORETIME'), advance('P1M')],
  [subscribe(), post(`${ONE}/cancel`)],
  [post('/subscriptions', ...fields('customer_id=nobody plan=basic'))],
  [subscribe(), cancelLater, pause, uncancel],
  [
    subscribe(),
    failing,
    advance('P1M'),
    box('payments fail --always succeed'),
    box('payments pay inv_000002'),
  ],
  [set('--retry-schedule P40D'), subscribe(), failing, advance('P1M'), advance('P1M')],
  [set('--retry-schedule P40D'), subscribe(), failing, advance('P1M'), cancelLater, advance('P1M')],
  [subscribe(), noRetries, failing, update('pro')],
  [subscribe(), apply('LOYAL10'), apply('EXTRA3'), update('pro_yearly')],
  [box('customers change cus_ada --balance 500'), subscribe()],
  [
    coupon('--id FIRST --type percentage --value 10 --duration forever --applies-to-plans basic'),
    ...[trial, apply('FIRST'), advance('P14D'), update('pro')],
  ],
  [subscribe(), advance('P10D'), apply('SAVE20'), advance('P3M'), update('pro_yearly')],
  [trial, box('customers change cus_ada --payment-method none'), advance('P14D')],
  [
    set('--trial-end-without-payment-method cancel'),
    trial,
    box('customers change cus_ada --payment-method none'),
    advance('P14D'),
  ],
  [subscribe('basic', '-d trial_period_days=900')],
  [subscribe('basic', '-d trial_period_days=soon')],
  [`curl -s $SANDBOX_URL/v1/subscriptions ${KEY}`],
  [post('/subscriptions/sub_000001/nothing')],
  [pauseAndChange()].flat(),
]

function pauseAndChange(): string[] {
  return [
    subscribe('pro'),
    pause,
    update('basic'),
    resume,
    pause,
    uncancel,
    apply('SAVE20'),
    advance('P2M'),
  ]
}

export const histories: readonly (readonly string[])[] = [
  ...Object.values(ways).flatMap((way) => [
    ...steps.map((step) => [...way, step]),
    [...way, cancelLater, uncancel],
    [...way, cancelLater, advance('P1M')],
    [...way, box('payments fail --always succeed'), box('payments pay inv_000001'), advance('P1M')],
    [...way, update('pro'), update('basic'), advance('P2M')],
  ]),
  ...[...refused, ...tokens, ...settings, ...billing],
]
