/** The plans of one sandbox. */
import * as z from 'zod'
import { find } from '../../sandbox/answer.ts'
import { changePlanTerms, createPlan, remove } from '../../sandbox/commands/catalog.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { PlanCreate, PlanPatch, WirePlan } from '../../wire/catalog.ts'
import { Reference } from '../../wire/fields.ts'
import { patchOrder, planOrder } from '../../wire/orders.ts'
import { presentPlan } from '../present/catalog.ts'
import { askWorld, takePage, tellWorld } from './calls.ts'
import { declareCollection } from './collection.ts'

const declared = declareCollection({
  path: 'plans',
  name: 'Plan',
  item: WirePlan,
  create: PlanCreate,
  patch: PlanPatch,
  params: z.strictObject({ plan_id: Reference }),
})

export const planRoutes = [
  route(declared.list, async ({ query, c }) =>
    ok(await askWorld(c, ({ plans }) => takePage(plans, query, { present: presentPlan }))),
  ),
  route(declared.create, async ({ body, c }) => {
    const plan = await tellWorld(c, (world) => createPlan(world, planOrder(body)))
    return created(`/sandbox/plans/${plan.planId}`, presentPlan(plan))
  }),
  route(declared.retrieve, async ({ params, c }) => {
    const named = { field: 'plan_id', id: params.plan_id }
    return ok(presentPlan(await askWorld(c, ({ plans }) => find(plans, named))))
  }),
  route(declared.change, async ({ params, body, c }) => {
    const change = patchOrder(body)
    return ok(
      presentPlan(await tellWorld(c, (world) => changePlanTerms(world, params.plan_id, change))),
    )
  }),
  route(declared.remove, async ({ params, c }) => {
    await tellWorld(c, (world) => remove(world, 'plans', params.plan_id))
    return noContent()
  }),
]
