/** `init`: writes a fixture to begin with, which `serve` finds by its name. */
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { conventionalFixture, StartRefused } from '../../server/fixture-choice.ts'
import { fileErrorText } from '../../store/files.ts'
import { addExamples, CannotRun, type Configure } from '../terminal/usage.ts'

const FILE = 'sandbox.fixture.yaml'

/** Where the schema is when the package is installed in this folder, and where a running sandbox serves it. */
const INSTALLED = './node_modules/subscription-sandbox/fixtures/fixture.schema.json'
const SERVED = 'http://127.0.0.1:4010/fixture.schema.json'

export const initCommand: Configure = (command) => {
  addExamples(command, 'init').action(init)
}

/** Writes the file into the working folder. Refuses where there is one already. */
async function init(): Promise<void> {
  const found = await conventionalFixture()
  if (found !== null) throw new StartRefused(`${found} is there already; it was left as it is.`)
  // Never over a file that somebody else writes at the same moment.
  const text = fixtureText(existsSync(INSTALLED) ? INSTALLED : SERVED)
  await writeFile(FILE, text, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    // No command would start on a part of a fixture.
    if (error.code !== 'EEXIST') await rm(FILE, { force: true })
    throw new CannotRun(`${FILE} cannot be written: ${fileErrorText(error)}.`)
  })
  process.stdout.write(
    `Wrote ${FILE}. To begin with it: npx subscription-sandbox serve --data memory\n`,
  )
}

export function fixtureText(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
# What the sandbox begins with. \`npx subscription-sandbox serve\` uses this file where it is in the working folder.
# After a change, start again; a sandbox that is stored already takes it over with \`npx subscription-sandbox reset\`.
description: A small shop of our own.

# Where the virtual clock stands when the history below is over.
now: 2027-03-10T12:00:00Z

products:
  - { product_id: app, name: App }

# Amounts are in minor units: 2500 is 25.00 USD.
plans:
  - plan_id: basic
    product_id: app
    name: Basic
    amount: 1000
    currency: USD
    interval: month # day, week, month or year
  - plan_id: pro
    product_id: app
    name: Pro
    amount: 2500
    currency: USD
    interval: month

customers:
  - { customer_id: cus_new, name: Nothing bought yet, email: new@example.com }
  - { customer_id: cus_trial, name: In a trial }
  - { customer_id: cus_late, name: Past due since two days }
  # payment_method: none has every payment fail.
  - { customer_id: cus_no_card, name: Without a payment method, payment_method: none }

coupons:
  - coupon_id: SAVE20
    type: percentage # percentage, fixed (with a currency) or trial_extension (days)
    value: 20
    duration: repeating # once, forever or repeating
    duration_in_months: 3
  - { coupon_id: TAKE5, type: fixed, value: 500, currency: USD, duration: once }

# How customers got to where they are: acts, in order, carried out by the billing itself. \`ago\` is counted back from
# \`now\`, days first and then months. Subscriptions are numbered: sub_000001 is the first one.
history:
  - ago: P1M2D
    subscribe: { customer_id: cus_late, plan: pro, coupon_id: SAVE20 }
  - ago: P10D
    subscribe: { customer_id: cus_trial, plan: basic, trial_period_days: 14 }
  - ago: P3D
    payment_outcomes: { customer_id: cus_late, always: card_declined }
`
}
