/** Settings: each question that the interface leaves open, what this sandbox does about it, and choosing otherwise. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { initialSettings } from '../../assumptions/register.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { presentSettings } from '../../wire/settings.ts'
import { addForm, submit, withNotice } from '../page.tsx'
import { type Sent, startingWith, type Values } from '../sent.ts'
import { Form, PostButton, Refused, SelectField, TextField } from '../ui/form.tsx'
import { Heading, Section, Table } from '../ui/table.tsx'
import { Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Assumption = Schemas['Assumption']
type Settings = Readonly<Record<string, unknown>>

/** What every sandbox begins with, unless its fixture says otherwise. */
const defaults: Settings = presentSettings(initialSettings)

export function settingPages(pages: Hono): void {
  addForm(pages, '/settings', { act: change, show: settingsPage })
  pages.post('/settings/vary', submit({ act: vary, show: settingsPage }))
}

async function change({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  const names = Object.keys(defaults).filter(values.has)
  const changes = Object.fromEntries(names.map((name) => [name, chosen(values, name)]))
  await sandbox.settings.change(changes)
  const [name = ''] = names
  return `${withNotice(to('settings'), 'changed')}#${slugOf(name)}`
}

/** As its kind is written in JSON; what cannot be is handed on as it is. */
function chosen(values: Values, name: string): unknown {
  const [usual, raw] = [defaults[name], values.raw(name)]
  if (Array.isArray(usual)) return raw.trim() === '[]' ? [] : (values.words(name) ?? raw)
  if (typeof usual === 'number') return values.integer(name) ?? raw
  if (typeof usual !== 'boolean') return raw
  return raw === 'true' || raw === 'false' ? raw === 'true' : raw
}

async function vary({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  const slug = values.raw('slug')
  const { vary: before } = await sandbox.settings.get()
  const others = before.filter((each) => each !== slug)
  const named = values.isChecked('on') ? [...others, slug] : others
  await sandbox.settings.change({ vary: named as typeof before })
  return `${withNotice(to('settings'), 'changed')}#${slug}`
}

function slugOf(name: string): string {
  return name.replaceAll('_', '-')
}

async function settingsPage(visit: Visit, sent: Sent): Promise<View> {
  const [settings, assumptions] = await Promise.all([
    visit.sandbox.settings.get(),
    visit.sandbox.assumptions(),
  ])
  const open = assumptions.filter(({ setting }) => setting !== null)
  const sections = [...new Set(open.map(({ section }) => section))].sort()
  const parts = { visit, sent, settings: settings as Settings }
  const isElsewhere = !Object.keys(defaults).some(sent.values.has)
  const body = (
    <>
      <Heading title="Settings" />
      <p>
        The interface leaves questions open. This page shows what this sandbox does about each, and
        lets you change it where it can.
      </p>
      {isElsewhere && <Refused sent={sent} />}
      {sections.map((section) => (
        <Section title={`Section ${section} of the interface`}>
          <div class="settings">
            {open
              .filter((each) => each.section === section)
              .map((each) => (
                <Setting {...parts} assumption={each} />
              ))}
          </div>
        </Section>
      ))}
      <Section title="How requests are read">
        <div class="settings">
          <Strict {...parts} />
        </div>
      </Section>
      <Fixed
        visit={visit}
        assumptions={assumptions.filter(({ setting }) => setting === null)}
        vary={settings.vary}
      />
    </>
  )
  return { title: 'Settings', body }
}

interface PartProps {
  readonly visit: Visit
  readonly sent: Sent
  readonly settings: Settings
}

const Setting: FC<PartProps & { assumption: Assumption }> = ({ assumption, ...parts }) => {
  const { slug, question, choice, setting, options } = assumption
  const name = setting ?? ''
  const vary = parts.settings['vary'] as readonly string[]
  return (
    <article id={slug}>
      <div>
        <h3>{question}</h3>
        <p class="hint">Default: {choice}</p>
        <Differences isChanged={!isUsual(parts.settings, name)} isVaried={vary.includes(slug)} />
      </div>
      <SettingForm {...parts} name={name} options={options ?? ''} />
    </article>
  )
}

const Strict: FC<PartProps> = (parts) => (
  <article id="strict">
    <div>
      <h3>Is a request refused that sends what the interface does not show?</h3>
      <p class="hint">Default: only if an assumption says so.</p>
      <Differences isChanged={!isUsual(parts.settings, 'strict')} isVaried={false} />
    </div>
    <SettingForm {...parts} name="strict" options="true, false" />
  </article>
)

const Differences: FC<{ isChanged: boolean; isVaried: boolean }> = ({ isChanged, isVaried }) => (
  <p>
    {isChanged && <span class="status waiting">changed here</span>}{' '}
    {isVaried && <span class="status waiting">changed here</span>}
  </p>
)

function isUsual(settings: Settings, name: string): boolean {
  return JSON.stringify(settings[name]) === JSON.stringify(defaults[name])
}

/** A form for one setting: words are chosen from, anything else is typed. */
const SettingForm: FC<PartProps & { name: string; options: string }> = ({
  visit,
  sent,
  settings,
  name,
  options,
}) => {
  const own = sent.values.has(name) ? sent : startingWith({ [name]: shown(settings[name]) })
  const words = /^\w+(?:, \w+)+$/.test(options) ? options.split(', ') : null
  const usual = shown(defaults[name])
  return (
    <div>
      <Form action={visit.to('settings')} sent={own} submit="Save">
        {words === null ? (
          <TextField name={name} label={name} hint={options} sent={own} />
        ) : (
          <SelectField name={name} label={name} options={words} sent={own} />
        )}
      </Form>
      {!isUsual(settings, name) && (
        <PostButton action={visit.to('settings')} values={{ [name]: usual }}>
          Back to {usual}
        </PostButton>
      )}
    </div>
  )
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.length === 0 ? '[]' : value.join(' ')
}

const Fixed: FC<{
  visit: Visit
  assumptions: readonly Assumption[]
  vary: readonly string[]
}> = ({ visit, assumptions, vary }) => (
  <Section title="Assumptions without a setting">
    <p>
      A service may do some of these differently and still follow the interface. A client that does
      not rely on them works either way.
    </p>
    <Table
      caption="Assumptions without a setting"
      rows={assumptions}
      columns={[
        {
          name: 'Question',
          wraps: true,
          // In one cell with its name, which alone would fill a narrow screen.
          cell: ({ slug, section, question }) => (
            <>
              <p>{question}</p>
              <p class="hint" id={slug}>
                {slug}, section {section}
              </p>
            </>
          ),
        },
        {
          name: 'What we do',
          wraps: true,
          cell: ({ slug, choice, otherwise }) => (vary.includes(slug) ? otherwise : choice),
        },
        {
          name: 'Or',
          wraps: true,
          cell: (each) => <Otherwise visit={visit} assumption={each} vary={vary} />,
        },
      ]}
    />
  </Section>
)

const Otherwise: FC<{ visit: Visit; assumption: Assumption; vary: readonly string[] }> = ({
  visit,
  assumption: { slug, choice, otherwise },
  vary,
}) => {
  if (otherwise === null) return <Text value={null} />
  const isVaried = vary.includes(slug)
  return (
    <>
      {isVaried && <Differences isChanged={false} isVaried />}
      <p>{isVaried ? choice : otherwise}</p>
      <PostButton
        action={visit.to('settings/vary')}
        values={isVaried ? { slug } : { slug, on: 'true' }}
        label={`Use this instead, ${slug}`}
      >
        Use this instead
      </PostButton>
    </>
  )
}
