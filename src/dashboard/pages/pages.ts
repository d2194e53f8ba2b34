/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { clockPages } from './clock.tsx'
import { invoicePages } from './invoices.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [clockPages, invoicePages]
