/**
 * Tokens: logins with what stems from them, issuing, refreshing and revoking. Owns that a token is shown once, in the
 * answer to the form that asked for it, and stands in no address.
 */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, formPage, submit, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import { nothingSent, type Sent } from '../sent.ts'
import { Form, TextField } from '../ui/form.tsx'
import { SecretList } from '../ui/secret-list.tsx'
import { Empty, Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, Nothing, StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** Fewer than elsewhere: the refreshes of each login are asked for one by one. */
const PAGE = 20

export function tokenPages(pages: Hono): void {
  pages.get('/tokens', formPage(tokensPage))
  // Whoever comes here by an address sees no token.
  addForm(pages, '/tokens/issue', { act: issue, show: tokensPage })
  pages.get('/tokens/refresh', formPage(tokensPage))
  pages.post('/tokens/refresh', submit({ act: refresh, show: withoutToken }))
  addQuestion(pages, '/tokens/:id/revoke', { ask: askToRevoke, act: revoke })
}

async function issue(visit: Visit, { values }: Sent): Promise<View> {
  const subject = values.text('subject')
  const made = await visit.sandbox.tokens.issue(subject === undefined ? {} : { subject })
  return grantView(visit, `Tokens of ${made.family_id}`, made)
}

/** As a client does it, on the documented surface. (Interface section 4, rule 6) */
async function refresh(visit: Visit, { values }: Sent): Promise<View> {
  const token = values.raw('refresh_token').trim()
  // What cannot stand in a header stands there encoded, for the sandbox to refuse.
  const header = /^[\x20-\x7e]*$/.test(token) ? token : encodeURIComponent(token)
  const granted = await answered(
    visit.sandbox.v1.POST('/v1/auth/refresh', {
      body: { refresh_token: token },
      headers: { Authorization: `Bearer ${header}` },
    }),
  )
  return grantView(visit, 'Refreshed tokens', granted)
}

async function revoke({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.tokens.revoke({ family_id: id })
  return withNotice(to('tokens'), 'revoked')
}

/** A refused token is a secret all the same: it does not come back with the form. */
function withoutToken(visit: Visit, { refusal }: Sent): Promise<View> {
  return tokensPage(visit, { values: nothingSent.values, refusal })
}

interface Grant {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
}

function grantView({ to }: Visit, title: string, grant: Grant): View {
  const { access_token: access, refresh_token: fresh, expires_in: seconds } = grant
  const body = (
    <>
      <Heading title={title} />
      <p>Copy them now: they are shown this once, and are kept nowhere.</p>
      <SecretList
        secrets={[
          ['Access token', access],
          ...(fresh === undefined ? [] : [['Refresh token', fresh] as const]),
        ]}
      />
      <p>
        The access token lives {durationText(seconds)} of virtual time.
        {fresh === undefined && ' The refresh token that was sent lives on.'}
      </p>
      <p>
        <a href={to('tokens')}>To all logins</a>
      </p>
    </>
  )
  return { title, body, live: 'nothing' }
}

/** A login with what is known of its tokens. */
interface Login extends Readonly<Schemas['TokenFamily']> {
  /** How often it was refreshed, or at least; as text. */
  readonly refreshes: string
  /** When its newest refresh token expires; null where the events do not say. */
  readonly expiresAt: string | null
}

/** How many refreshes of a login are looked at. */
const REFRESHES_READ = 100

/** Counts from the newest refresh token, with the lifetime that is set now. */
async function loginOf(
  { control }: Visit,
  family: Schemas['TokenFamily'],
  { lifetimeSeconds, isDropped }: { lifetimeSeconds: number; isDropped: (at: string) => boolean },
): Promise<Login> {
  const { family_id: id, issued_at: issuedAt } = family
  const query = { type: 'token.refreshed', subject_id: id, limit: REFRESHES_READ } as const
  const { data, has_more: hasMore } = await answered(
    control.GET('/sandbox/events', { params: { query } }),
  )
  const rotated = data.filter(({ detail }) => detail['rotated'] === true).at(-1)
  const isCut = isDropped(issuedAt)
  const since = Date.parse(rotated?.at ?? issuedAt)
  const isUnknown = hasMore || (isCut && rotated === undefined)
  return {
    ...family,
    refreshes: `${hasMore || isCut ? 'at least ' : ''}${data.length}`,
    expiresAt: isUnknown ? null : new Date(since + lifetimeSeconds * 1000).toISOString(),
  }
}

/** Whether events since an instant may have been dropped: the oldest that is kept is not the first, and no older. */
async function droppedSince({ control }: Visit): Promise<(at: string) => boolean> {
  const params = { query: { limit: 1 } }
  const [oldest] = (await answered(control.GET('/sandbox/events', { params }))).data
  return (at) => oldest !== undefined && oldest.seq > 1 && oldest.at >= at
}

async function tokensPage(visit: Visit, sent: Sent): Promise<View> {
  const { control, sandbox, cursor, to } = visit
  const [families, settings, isDropped] = await Promise.all([
    answered(control.GET('/sandbox/tokens', { params: { query: cursor(PAGE) } })),
    sandbox.settings.get(),
    droppedSince(visit),
  ])
  const known = { lifetimeSeconds: settings.refresh_token_lifetime, isDropped }
  const logins = await Promise.all(families.data.map((each) => loginOf(visit, each, known)))
  const body = (
    <>
      <Heading title="Tokens" />
      <Rules visit={visit} settings={settings} />
      <Section title="Logins">
        <Logins visit={visit} logins={logins} />
        <Pager visit={visit} path="tokens" next={families.next_after} />
      </Section>
      <div class="columns">
        <Section title="Issue tokens">
          <Form
            action={to('tokens/issue')}
            sent={sent.values.has('subject') ? sent : nothingSent}
            submit="Issue tokens"
          >
            <TextField
              name="subject"
              label="Subject"
              hint="Optional; shown in the list of logins"
              sent={sent}
            />
          </Form>
        </Section>
        <Section title="Refresh as a client does">
          <Form
            action={to('tokens/refresh')}
            sent={sent.values.has('subject') ? nothingSent : sent}
            submit="Refresh"
          >
            <TextField
              name="refresh_token"
              label="Refresh token"
              hint="Sent to POST /v1/auth/refresh, in header and body"
              sent={sent}
            />
          </Form>
        </Section>
      </div>
    </>
  )
  return { title: 'Tokens', body }
}

const Rules: FC<{ visit: Visit; settings: Schemas['Settings'] }> = ({
  visit: { to },
  settings,
}) => (
  <>
    <Facts
      facts={[
        ['Access token lifetime', durationText(settings.access_token_lifetime)],
        ['Refresh token lifetime', durationText(settings.refresh_token_lifetime)],
        [
          'On refresh',
          settings.refresh_rotation === 'rotate'
            ? 'the refresh token is replaced'
            : 'the refresh token is kept',
        ],
        [
          'On reuse',
          settings.refresh_reuse_revokes_family ? 'the whole login is revoked' : 'it is refused',
        ],
      ]}
    />
    <p class="hint">
      Lifetimes are in virtual time. The list uses the current settings.{' '}
      <a href={to('settings')}>Change the settings</a>
    </p>
  </>
)

const Logins: FC<{ visit: Visit; logins: readonly Login[] }> = ({ visit, logins }) => (
  <Table
    caption="Logins, oldest first"
    rows={logins}
    columns={[
      {
        name: 'Login',
        cell: ({ family_id: id }) => <a href={visit.to('events', { subject_id: id })}>{id}</a>,
      },
      { name: 'Subject', cell: ({ subject }) => <Text value={subject} /> },
      { name: 'State', cell: (login) => <StatusBadge status={stateOf(visit, login)} /> },
      { name: 'Issued', cell: ({ issued_at: at }) => <At instant={at} /> },
      { name: 'Refreshes', cell: ({ refreshes }) => refreshes, isNumber: true },
      {
        name: 'Refresh token expires',
        cell: ({ revoked_at: revoked, expiresAt }) =>
          revoked === null ? <Expiry at={expiresAt} /> : <Nothing />,
      },
      { name: 'Revoked', cell: ({ revoked_at: at }) => <At instant={at} /> },
      {
        name: 'Actions',
        cell: ({ family_id: id, revoked_at: revoked }) =>
          revoked === null && (
            <a href={revokeAddress(visit, id)} aria-label={`Revoke ${id}…`}>
              Revoke…
            </a>
          ),
      },
    ]}
    empty={<Empty>No login yet. Issue tokens below, as a login would.</Empty>}
  />
)

const Expiry: FC<{ at: string | null }> = ({ at }) =>
  at === null ? <>unknown</> : <At instant={at} />

function stateOf({ sandbox, clock }: Visit, login: Login): string {
  if (login.revoked_at !== null) return 'revoked'
  if (login.issued_by !== sandbox.id) return `of ${login.issued_by}, works only there`
  if (login.expiresAt === null) return 'unknown'
  return login.expiresAt <= clock.now ? 'expired' : 'active'
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds in the greatest unit that has no remainder. */
function durationText(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function revokeAddress({ to }: Visit, id: string): string {
  return to(`tokens/${encodeURIComponent(id)}/revoke`)
}

function askToRevoke({ id, to }: Visit): Question {
  return {
    title: `Revoke ${id}`,
    text: (
      <p>Every access token and refresh token of this login stops working at once, for good.</p>
    ),
    submit: 'Revoke login',
    cancel: to('tokens'),
  }
}
