import { z } from 'zod'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { instant, tier } from '@/lib/kernel/fields'

/** How long a released handle is blocked, and how long a change counts: 365 days. */
export const handleYear = 365 * day
/** The first handle and two changes. */
const claimsMax = 3

/** Returns when the handle may change again, or null when it may change now. `claims`: when the account chose its handles, oldest first. */
export function nextHandleChange(claims: Date[], now: Date): Date | null {
  const counted = claims.slice(-claimsMax)
  const [, second] = counted
  // Two changes: with fewer than three claims, the oldest is the first handle, which does not count.
  if (counted.length < claimsMax || second === undefined) return null
  const next = secondsAfter(second, handleYear)
  return next > now ? next : null
}

/** Returns the times to store after another claim. */
export const withClaim = (claims: Date[], now: Date): Date[] => [...claims, now].slice(-claimsMax)

/** Returns the address of the page of a person. */
export const handleUrl = (handle: string) => `${config().baseUrl}/@${handle}`

/** The caller's own handle. */
export const OwnHandle = z
  .object({
    success: z.literal(true),
    handle: z.string().nullable().meta({ description: 'Without `@`. Null after a release.' }),
    url: z.string().nullable().meta({ description: 'The public page of the handle.' }),
    next_handle_change_at: instant
      .nullable()
      .meta({ description: 'When you can choose another handle. Null: now.' }),
  })
  .meta({ id: 'OwnHandle' })

export type OwnHandleInput = z.input<typeof OwnHandle>

export function presentOwnHandle(handle: string | null, claims: Date[], now: Date): OwnHandleInput {
  return {
    success: true,
    handle,
    url: handle === null ? null : handleUrl(handle),
    next_handle_change_at: nextHandleChange(claims, now),
  }
}

/** What everybody sees of a person with a handle: as much as the public page shows. */
export const PublicPerson = z
  .object({
    handle: z.string().meta({ description: 'Without `@`, in small letters.' }),
    duckling_id: z.string().meta({
      description:
        'Compare it with the id that you know: a handle can belong to somebody else a year after its release.',
    }),
    display_name: z.string(),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    trust_tier: tier,
    certified: z.boolean(),
    cert_id: z.string().nullable().meta({ description: 'The active certificate.' }),
    since: z.string().meta({ description: 'Year and month of the sign-up, `YYYY-MM`.' }),
    listed: z
      .boolean()
      .meta({ description: 'False: only the person and people who got an answer from the person see this.' }),
    agents: z
      .array(z.object({ agent_id: z.string(), agent_name: z.string(), agent_type: z.string() }))
      .meta({ description: 'The bonded agents, oldest first.' }),
    url: z.string().meta({ description: 'The public page.' }),
  })
  .meta({ id: 'PublicPerson' })

export type PublicPersonInput = z.input<typeof PublicPerson>
