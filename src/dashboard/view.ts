/** What a page shows. */
import type { Child } from 'hono/jsx'

export interface View {
  readonly title: string
  readonly body: Child
  /** What makes a browser with scripts load the page again; events where it is absent. */
  readonly live?: 'events' | 'requests' | 'nothing'
}
