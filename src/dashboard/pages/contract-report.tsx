/** The findings of a check of a pact, and the result of its replay. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { sentence } from '../ui/columns.tsx'
import { More, Section, Table } from '../ui/table.tsx'
import { Badge } from '../ui/values.tsx'

type CheckReport = Schemas['ContractCheckReport']

/** As much of the verifier's report as is shown. */
interface Replayed {
  readonly totals?: { readonly interactions: number; readonly failed: number }
  readonly pacts?: readonly {
    readonly problems: readonly { readonly message: string }[]
    readonly interactions: readonly {
      readonly description: string
      readonly result: string
      readonly findings: readonly { readonly message: string }[]
    }[]
  }[]
}

/** Findings as a list, errors first. */
export const PactFindings: FC<{ report: CheckReport }> = ({ report }) => {
  const { ok, findings, more_findings: more, verification } = report
  return (
    <>
      <p class={ok ? 'notice' : 'refusal'} role={ok ? 'status' : 'alert'}>
        {ok ? 'It fits the documented interface.' : 'It does not fit the documented interface.'}
        {verification !== null && ' It was replayed too, which has the last word.'}
      </p>
      {findings.length > 0 && <FoundList findings={findings} more={more} />}
      {verification !== null && <Replay replayed={verification.report as Replayed} />}
    </>
  )
}

const FoundList: FC<{ findings: CheckReport['findings']; more: number }> = ({ findings, more }) => (
  <Section title="What was found">
    <ul class="found">
      {[...findings]
        .sort((one, other) => Number(one.severity !== 'error') - Number(other.severity !== 'error'))
        .map(({ severity, interaction, path, message }) => (
          <li>
            <p>
              <Badge tone={severity === 'error' ? 'bad' : 'waiting'}>{severity}</Badge>{' '}
              {interaction ?? 'the whole file'}
            </p>
            <p>{message}</p>
            {path !== null && (
              <p class="hint">
                <code>{path}</code>
              </p>
            )}
          </li>
        ))}
    </ul>
    <More count={more} />
  </Section>
)

const Replay: FC<{ replayed: Replayed }> = ({ replayed: { pacts = [], totals } }) => (
  <Section title="Replay">
    {totals !== undefined && (
      <p>{`${totals.interactions} interactions, ${totals.failed} failed.`}</p>
    )}
    {pacts
      .flatMap(({ problems }) => problems)
      .map(({ message }) => (
        <p class="wrong">{message}</p>
      ))}
    <Table
      caption="Interactions that were replayed"
      rows={pacts.flatMap(({ interactions }) => interactions)}
      columns={[
        sentence('Interaction', 'description'),
        {
          name: 'Result',
          cell: ({ result }) => <Badge tone={result === 'passed' ? 'good' : 'bad'}>{result}</Badge>,
        },
        {
          name: 'What differs',
          wraps: true,
          cell: ({ findings }) => findings.map(({ message }) => <p>{message}</p>),
        },
      ]}
      empty={<p>Nothing was replayed.</p>}
    />
  </Section>
)
