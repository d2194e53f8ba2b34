/** The settings of histories, from the register: one that is added is drawn too. */
import fc from 'fast-check'
import * as z from 'zod'
import { type Settings, settingAssumptions, settingName } from '../../src/assumptions/register.ts'

/** Every setting that has some words as its values, or is a boolean. */
const choices = settingAssumptions.flatMap(({ slug, schema }) => {
  const words = schema instanceof z.ZodEnum ? schema.options : [true, false]
  const isChoice = schema instanceof z.ZodEnum || schema instanceof z.ZodBoolean
  return isChoice ? [[settingName(slug), fc.constantFrom(...words)] as const] : []
})

/** Settings that a history changes under way: some of them, each to any of its words. */
export const drawnSettings = fc.record(
  {
    ...Object.fromEntries(choices),
    retrySchedule: fc.constantFrom(
      ...[[], ['P1D'], ['P1D', 'P3D', 'P5D', 'P7D'], ['PT1H', 'P40D']],
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<Settings>>
