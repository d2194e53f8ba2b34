import { describe, expect, it } from 'vitest'
import { assumptions } from '../../../src/assumptions/register.ts'
import type { WireAssumption, WireSettings } from '../../../src/wire/sandbox/settings.ts'
import { openShop } from '../../support/control.ts'

const path = '/sandbox/settings'

describe('settings', () => {
  it('begin as the register says, and a patch answers them all', async () => {
    const shop = await openShop()
    const { body } = await shop.get<WireSettings>(path)
    expect(body).toMatchObject({
      retry_schedule: ['P1D', 'P3D', 'P5D', 'P7D'],
      after_retries: 'cancel',
      paused_status_name: 'paused',
      invalid_grant_status: 403,
      access_token_lifetime: 3600,
      unknown_fields: 'reject',
    })
    const json = {
      retry_schedule: [],
      after_retries: 'keep_past_due',
      paused_status_name: 'on_hold',
    }
    const changed = await shop.call('PATCH', path, { json })
    expect(changed).toMatchObject({ status: 200, body: { ...body, ...json } })
    expect((await shop.get(path)).body).toEqual(changed.body)
  })

  it.each([
    [{ retry_schedule: ['P3D', 'P1D'] }, 'retry_schedule'],
    [{ retry_schedule: ['P1M'] }, 'retry_schedule'],
    [{ retry_schedule: ['PT0S'] }, 'retry_schedule'],
    [{ after_retries: 'forgive' }, 'after_retries'],
    [{ paused_status_name: 'active' }, 'paused_status_name'],
    [{ paused_status_name: 'On hold' }, 'paused_status_name'],
    [{ invalid_grant_status: 418 }, 'invalid_grant_status'],
    [{ access_token_lifetime: 0 }, 'access_token_lifetime'],
    [{ refresh_reuse_revokes_family: 'true' }, 'refresh_reuse_revokes_family'],
    [{ stacking_order: null }, 'stacking_order'],
    [{ speed: 1 }, 'speed'],
    [{ retrySchedule: [] }, 'retrySchedule'],
  ])('%j is refused, and nothing of it takes effect', async (json, field) => {
    const shop = await openShop()
    const before = await shop.state()
    const refused = await shop.call('PATCH', path, { json: { unknown_fields: 'ignore', ...json } })
    expect(refused.status).toBe(400)
    const [problem] = (refused.body as { errors: { field: string }[] }).errors
    expect(problem?.field.replace(/\[\d+\]$/, '')).toBe(field)
    expect(await shop.state()).toBe(before)
  })

  it.each([
    [{ after_retries: 'forgive' }, 'after_retries must be cancel or keep_past_due; got "forgive".'],
    [{ invalid_grant_status: 418 }, 'invalid_grant_status must be one of 400, 401, 403; got 418.'],
    [{ strict: 1 }, 'strict must be true or false; got 1.'],
    [
      { refresh_reuse_revokes_family: 'true' },
      'refresh_reuse_revokes_family must be true or false; got "true"; write true without quotes.',
    ],
    [
      { proration: 'days' },
      'proration must be one of millisecond, second, day, none; got "days"; the nearest is "day".',
    ],
  ])('%j is refused in a sentence', async (json, detail) => {
    const shop = await openShop()
    expect((await shop.call('PATCH', path, { json })).body).toMatchObject({ detail })
  })

  it('never make the control plane itself take unknown fields', async () => {
    const shop = await openShop()
    await shop.call('PATCH', path, { json: { unknown_fields: 'ignore' } })
    expect((await shop.post('/sandbox/products', { name: 'App', colour: 'red' })).status).toBe(400)
    expect((await shop.get('/sandbox/products?colour=red')).status).toBe(400)
  })
})

describe('the register of assumptions', () => {
  it('is served whole, each with the setting that changes it', async () => {
    const shop = await openShop()
    const { body } = await shop.get<{ data: WireAssumption[] }>('/sandbox/assumptions?limit=1000')
    expect(body.data.map((each) => each.slug)).toEqual(assumptions.map((each) => each.slug))
    const settings = await shop.get<WireSettings>(path)
    const keys = body.data.map((each) => each.setting).filter((key) => key !== null)
    const { vary: _, strict: __, ...ofAssumptions } = settings.body
    expect(keys.sort()).toEqual(Object.keys(ofAssumptions).sort())
  })
})
