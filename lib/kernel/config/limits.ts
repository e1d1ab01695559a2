/** Reads the limits from `LIMIT_<GROUP>`. */
import { z } from 'zod'
import {
  type AnyLimitGroup,
  daily,
  dailyLimitGroups,
  defaultLimits,
  limitGroups,
  pageLimitGroups,
  type Rate,
} from './limit-table'

const rate = z
  .string()
  .regex(
    /^\d+(\.\d+)?\/\d+$/,
    'must be rate/burst, for instance 10/5: 10 in a minute (LIMIT_ASK, LIMIT_CODE, LIMIT_FIND, LIMIT_INVITED, LIMIT_RINGS and LIMIT_STRANGERS: in a day), at most 5 at once',
  )
  .transform((value) => value.split('/').map(Number) as [number, number])
  .refine(
    (numbers) => numbers.every((number) => number > 0 && number <= 1e9),
    'rate and burst must be greater than 0, and at most 1,000,000,000',
  )

/** The limits per minute, and the budgets per day. */
export type Limits = Record<AnyLimitGroup, Rate>

/** Returns the limits of the environment, and adds what is wrong to `faults`. */
export function parseLimits(env: NodeJS.ProcessEnv, faults: string[]): Limits {
  const limits = { ...defaultLimits }
  const set = (group: keyof Limits, rateOf: (rate: number, burst: number) => Rate) => {
    const name = `LIMIT_${group.toUpperCase()}`
    if (!env[name]) return
    const parsed = rate.safeParse(env[name])
    if (parsed.success) limits[group] = rateOf(...parsed.data)
    else faults.push(`${name}: ${parsed.error.issues[0]?.message}`)
  }
  for (const group of [...limitGroups, ...pageLimitGroups])
    set(group, (perMinute, burst) => ({ perMinute, burst }))
  for (const group of dailyLimitGroups) set(group, daily)
  return limits
}
