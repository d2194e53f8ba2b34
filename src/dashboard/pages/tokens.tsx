/**
 * Tokens: token families; issuing, refreshing and revoking them. Owns that a token is shown once, in the answer
 * to the form that requested it, and is in no address.
 */
import { calledOperations } from '../../generated/operations.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import { Form } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/lists-and-questions.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import type { FormValues } from '../ui/form-state.ts'
import { askLink, Hint, linkWith, Paragraph } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, Table } from '../ui/table.tsx'
import { field, SecretList } from '../ui/values.tsx'

/** Fewer than elsewhere: the refreshes of each family are read one by one. */
const ROWS = 20

const refreshToken = {
  name: 'refresh_token',
  hint: 'Sent to POST /v1/auth/refresh, in header and body',
  isRequired: true,
  // A refused token is a secret all the same.
  isSecret: true,
} as const

export const tokenPages: PageTable = {
  tokens: { show: tokensPage },
  // The addresses of the forms show no token.
  'tokens/issue': {
    act: async ({ sandbox }, values) => {
      const subject = values.text('subject')
      const made = await sandbox.tokens.issue(subject === undefined ? {} : { subject })
      return grantView(`Tokens of ${made.family_id}`, made)
    },
  },
  'tokens/refresh': { act: refresh },
  'tokens/:id/revoke': confirmation({
    ask: {
      title: 'Revoke',
      text: 'Every access token and refresh token of this family stops working at once, for good.',
      submit: 'Revoke token family',
    },
    act: ({ sandbox, id }) => sandbox.tokens.revoke({ family_id: id }),
    did: 'revoked',
  }),
}

/** As a client does it, on the documented surface. (Interface section 4, rule 6) */
async function refresh({ sandbox, callsIn }: PageContext, values: FormValues): Promise<View> {
  const typed = values.raw('refresh_token').trim()
  // A text that cannot be in a header is encoded, for the sandbox to refuse.
  const token = /^[\x21-\x7e]*$/.test(typed) ? typed : encodeURIComponent(typed)
  const sent = { params: { path: {} }, query: undefined, body: { refresh_token: token } }
  const call = callsIn({ id: sandbox.id, apiKey: token })
  return grantView('Refreshed tokens', (await call(calledOperations.refreshToken, sent)) as Grant)
}

type Grant = { access_token: string; expires_in: number; refresh_token?: string }

function grantView(title: string, grant: Grant): View {
  const { access_token: access, refresh_token: fresh, expires_in: seconds } = grant
  const body = [
    <p>Copy them now: they are shown this once, and are kept nowhere.</p>,
    <SecretList secrets={{ 'Access token': access, ...(fresh && { 'Refresh token': fresh }) }} />,
    <p>
      The access token lives {durationText(seconds)} of virtual time.
      {fresh === undefined && ' The refresh token that was sent lives on.'}
    </p>,
    <Paragraph text="[To all token families](tokens)" />,
  ]
  return { title, body, live: 'nothing' }
}

const REFRESHES_READ = 100

/** A token family with its state, and how often it was refreshed, as far as the events are there. */
async function rowOf(page: PageContext, family: Schemas['TokenFamily'], oldest?: Schemas['Event']) {
  const { family_id: id, issued_at: issuedAt, revoked_at: revokedAt } = family
  const query = { type: 'token.refreshed', subject_id: id, limit: REFRESHES_READ }
  const { data, has_more: hasMore } = await page.list('/sandbox/events', query)
  // Some may be kept no longer: the oldest that is kept is not the first, and no older.
  const isDropped = oldest !== undefined && oldest.seq > 1 && oldest.at >= issuedAt
  return {
    // What names its row; the id is shown as a link.
    of: id,
    ...family,
    family_id: linkWith({ subject_id: id }, id, 'events'),
    state: stateOf(page, family),
    refreshes: `${hasMore || isDropped ? 'at least ' : ''}${data.length}`,
    actions: revokedAt === null ? askLink('Revoke', `tokens/${id}/revoke`, id) : null,
  }
}

function stateOf({ sandbox, clock }: PageContext, family: Schemas['TokenFamily']): string {
  const { revoked_at: revokedAt, issued_by: issuer, refresh_token_expires_at: expiresAt } = family
  if (revokedAt !== null) return 'revoked'
  if (issuer !== sandbox.id) return `of ${issuer}, works only there`
  return expiresAt !== null && expiresAt <= clock.now ? 'expired' : 'active'
}

async function tokensPage(page: PageContext): Promise<View> {
  const [families, settings, events] = await Promise.all([
    page.list('/sandbox/tokens', page.cursor(ROWS)),
    page.sandbox.settings.get(),
    page.list('/sandbox/events', { limit: 1 }),
  ])
  const isReplaced = settings.refresh_rotation === 'rotate'
  const isRevoked = settings.refresh_reuse_revokes_family
  const shown = families.data.map((each) => rowOf(page, each, events.data[0]))
  const hint = 'Optional; shown in the list of token families'
  const subject = { name: 'subject', hint, shortcut: 'c' }
  const body = [
    <Facts
      facts={[
        ['Access token lifetime', durationText(settings.access_token_lifetime)],
        ['Refresh token lifetime', durationText(settings.refresh_token_lifetime)],
        ['On refresh', `the refresh token is ${isReplaced ? 'replaced' : 'kept'}`],
        ['On reuse', isRevoked ? 'the whole token family is revoked' : 'it is refused'],
      ]}
    />,
    <Hint text="Lifetimes are in virtual time. Tokens keep the lifetime with which they were issued. [Change the settings](settings)" />,
    <Table
      title="Token families"
      rows={{ data: await Promise.all(shown), next_after: families.next_after }}
      columns={[
        field('family_id', 'Token family'),
        'subject',
        'state',
        'issued_at',
        'refreshes',
        field('refresh_token_expires_at', 'Refresh token expires'),
        'revoked_at',
        'actions',
      ]}
      empty="No token family yet. Issue tokens below, as a login would."
    />,
    <div class="columns">
      <Form title="Issue tokens" to="tokens/issue" fields={[subject]} submit="Issue tokens" />
      <Form
        title="Refresh as a client does"
        to="tokens/refresh"
        fields={[refreshToken]}
        submit="Refresh"
      />
    </div>,
  ]
  return { title: 'Tokens', body }
}

/** Seconds in the greatest unit that has no remainder. */
function durationText(seconds: number): string {
  const units = { day: 86_400, hour: 3600, minute: 60 }
  const [unit, length] = Object.entries(units).find(([, each]) => seconds % each === 0) ?? []
  return countText(seconds / (length ?? 1), unit ?? 'second')
}
