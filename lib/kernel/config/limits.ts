/** The limits of spec section 8 and of contract A, Limits, as rate and bucket size. The configuration can change each. */

import { z } from 'zod'

export interface Rate {
  /** Tokens that are refilled per minute, continuously. */
  perMinute: number
  /** Capacity of the bucket: requests at once. */
  burst: number
}

export const limitGroups = [
  'metrics',
  'signup',
  'status',
  'newsletter',
  'support',
  'pageview',
  'signin',
  'otp',
  'anonymous',
  'authenticated',
  'tlog',
] as const

/** The limits of requests that Next answers. */
export const pageLimitGroups = ['pages', 'images'] as const

/** Budgets: limits whose rate is per day (contract A, Limits). */
export const dailyLimitGroups = ['ask', 'code', 'find', 'invited', 'rings', 'strangers'] as const

export type LimitGroup = (typeof limitGroups)[number]
export type DailyLimitGroup = (typeof dailyLimitGroups)[number]
export type PageLimitGroup = (typeof pageLimitGroups)[number]
export type AnyLimitGroup = LimitGroup | PageLimitGroup | DailyLimitGroup

const minutesOfDay = 24 * 60

/** Returns a rate per day as a rate. */
export function daily(perDay: number, burst: number): Rate {
  return { perMinute: perDay / minutesOfDay, burst }
}

export function isDaily(group: AnyLimitGroup): group is DailyLimitGroup {
  return (dailyLimitGroups as readonly string[]).includes(group)
}

/** Returns the tokens that are refilled per day. */
export function perDay({ perMinute }: Rate): number {
  return Number((perMinute * minutesOfDay).toFixed(6))
}

export const defaultLimits: Record<AnyLimitGroup, Rate> = {
  metrics: { perMinute: 100, burst: 200 },
  signup: { perMinute: 10, burst: 5 },
  status: { perMinute: 60, burst: 120 },
  newsletter: { perMinute: 5, burst: 2 },
  support: { perMinute: 5, burst: 2 },
  pageview: { perMinute: 500, burst: 1000 },
  signin: { perMinute: 10, burst: 10 },
  otp: { perMinute: 5, burst: 5 },
  anonymous: { perMinute: 120, burst: 120 },
  authenticated: { perMinute: 600, burst: 300 },
  // A verifier can read a log of a million entries, about 8,000 tiles, in a few minutes (contract A, Limits).
  tlog: { perMinute: 1200, burst: 1200 },
  // A page with its links to other pages, which browsers fetch ahead, causes up to 30 requests.
  pages: { perMinute: 600, burst: 300 },
  images: { perMinute: 30, burst: 30 },
  ask: daily(20, 20),
  code: daily(200, 200),
  find: daily(100, 50),
  invited: daily(20, 20),
  // Five at once, and then five a minute.
  rings: daily(7200, 5),
  strangers: daily(20, 20),
}

/** Reads the limits from `LIMIT_<GROUP>`. */

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
