/** Settings: each question that the interface leaves open, what this sandbox does about it, and the alternatives. */
import type { Child } from 'hono/jsx'
import { initialSettings } from '../../assumptions/register.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { presentSettings } from '../../wire/sandbox/settings.ts'
import { Form, PostButton, Refused } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type FormValues, jsonOr } from '../ui/form-state.ts'
import { Paragraph } from '../ui/links.tsx'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { Badge, type ColumnOf, column, Nothing } from '../ui/values.tsx'

type Assumption = Schemas['Assumption']
type Settings = Readonly<Record<string, unknown>>

/** The settings that every sandbox begins with, unless its fixture says otherwise. */
const defaults: Settings = presentSettings(initialSettings)

export const settingPages: PageTable = {
  settings: { show: settingsPage, act: changeSettings },
  'settings/vary': { act: changeVary },
}

async function changeSettings({ sandbox, to }: PageContext, values: FormValues): Promise<string> {
  const names = Object.keys(defaults).filter(values.has)
  const changes = names.map((name) => [name, settingFrom(values, name)])
  await sandbox.settings.change(Object.fromEntries(changes))
  const slug = names[0]?.replaceAll('_', '-') ?? ''
  return `${withNotice(to('settings'), 'changed')}#${slug}`
}

/** As its kind is written in JSON; any other text is handed on as it is. */
function settingFrom(values: FormValues, name: string): unknown {
  const [usual, raw] = [defaults[name], values.raw(name)]
  if (Array.isArray(usual)) return raw.trim() === '[]' ? [] : (values.words(name) ?? raw)
  return typeof usual === 'string' ? raw : jsonOr(raw)
}

async function changeVary({ sandbox, to }: PageContext, values: FormValues): Promise<string> {
  const slug = values.raw('slug')
  const { vary: before } = await sandbox.settings.get()
  const others = before.filter((each) => each !== slug)
  const named = values.has('on') ? [...others, slug] : others
  await sandbox.settings.change({ vary: named as typeof before })
  return `${withNotice(to('settings'), 'changed')}#${slug}`
}

/** The one setting that is no assumption. */
const strict = {
  slug: 'strict',
  question: 'Is a request refused that sends what the interface does not show?',
  choice: 'only if an assumption says so.',
  options: 'true, false',
  otherwise: null,
}

async function settingsPage({ sandbox, form }: PageContext): Promise<View> {
  const [settings, assumptions] = await Promise.all([sandbox.settings.get(), sandbox.assumptions()])
  const open = assumptions.filter(({ setting }) => setting !== null)
  const sections = [...new Set(open.map(({ section }) => section))].sort()
  const isElsewhere = !Object.keys(defaults).some(form.values.has)
  const body = [
    isElsewhere && <Refused form={form} />,
    sections.map((section) => (
      <Section title={`Section ${section} of the interface`}>
        <div class="settings">
          {open
            .filter((each) => each.section === section)
            .map((each) => settingForm(settings, each.setting ?? '', each))}
        </div>
      </Section>
    )),
    <Section title="How requests are read">
      <div class="settings">{settingForm(settings, 'strict', strict)}</div>
    </Section>,
    <Section title="Assumptions without a setting">
      <Paragraph text="A service may do some of these differently and still follow the interface. A client that does not rely on them works either way." />
      <Table
        caption="Assumptions without a setting"
        rows={assumptions.filter(({ setting }) => setting === null)}
        columns={fixedColumns(settings.vary)}
      />
    </Section>,
  ]
  const text =
    'The interface leaves questions open. This page shows what this sandbox does about each, and lets you change it where it can.'
  return { title: 'Settings', text, body }
}

/** One setting with its form: words are chosen from, anything else is typed. */
function settingForm(settings: Settings, name: string, open: typeof strict | Assumption): Child {
  const { slug, question, choice, options, otherwise } = open
  const isUsual = JSON.stringify(settings[name]) === JSON.stringify(defaults[name])
  const isVaried = (settings['vary'] as readonly string[]).includes(slug)
  const usual = textOf(defaults[name])
  const isWords = /^\w+(?:, \w+)+$/.test(options ?? '')
  const separated = Array.isArray(defaults[name]) ? '; separated by spaces or commas' : ''
  const hint = `${options ?? ''}${separated}`
  const texts = isWords ? { options: options?.split(', ') ?? [] } : { hint }
  return (
    <article id={slug} class="columns">
      <div>
        <h3>{question}</h3>
        <p class="hint">Default: {choice}</p>
        <p>{(!isUsual || isVaried) && changed}</p>
        {isVaried && <p class="hint">Varied, whatever is set here: {otherwise}</p>}
      </div>
      <div>
        <Form
          to="settings"
          start={{ [name]: textOf(settings[name]) }}
          fields={[{ name, label: name, ...texts }]}
          submit="Save"
        />
        {!isUsual && (
          <PostButton to="settings" values={{ [name]: usual }}>
            Back to {usual}
          </PostButton>
        )}
        {isVaried && (
          <PostButton to="settings/vary" values={{ slug }}>
            Do not vary
          </PostButton>
        )}
      </div>
    </article>
  )
}

const changed = <Badge tone="waiting">changed here</Badge>

const textOf = (value: unknown) => (Array.isArray(value) ? value.join(' ') || '[]' : String(value))

const questionCell = ({ slug, section, question }: Assumption) => [
  <p>{question}</p>,
  <p class="hint" id={slug}>
    {slug}, section {section}
  </p>,
]

function fixedColumns(varied: readonly string[]): ColumnOf<Assumption>[] {
  return [
    // In one cell with its name, which alone would fill a narrow screen.
    column('Question', questionCell, { wraps: true }),
    column(
      'What we do',
      ({ slug, choice, otherwise }) => (varied.includes(slug) ? otherwise : choice),
      { wraps: true },
    ),
    column('Or', (each) => alternativeCell(each, varied.includes(each.slug)), { wraps: true }),
  ]
}

function alternativeCell({ slug, choice, otherwise }: Assumption, isVaried: boolean): Child {
  if (otherwise === null) return <Nothing />
  const values = isVaried ? { slug } : { slug, on: 'true' }
  return [
    isVaried && <p>{changed}</p>,
    <p>{isVaried ? choice : otherwise}</p>,
    <PostButton to="settings/vary" values={values} label={`Use this instead, ${slug}`}>
      Use this instead
    </PostButton>,
  ]
}
