import { z } from 'zod'
import { instant, text } from '@/lib/kernel/request/fields'

export const Metrics = z
  .object({
    registered_ducklings: z.int().min(0),
    certified: z.int().min(0),
    bonded_agents: z.int().min(0),
    domains: z.int().min(0),
    completed_pecks: z.int().min(0),
    galaxy_version: z.string(),
    as_of: instant,
  })
  .meta({ id: 'Metrics' })

const spanDays = ['30', '90', '365'] as const

export const HistoryQuery = z.strictObject({
  days: z.enum(spanDays).default('30').meta({ description: 'How many days back.' }),
})

const series = z.array(z.number())

export const MetricsHistory = z
  .object({
    days: z.array(z.string()).meta({ description: 'The day of each value (YYYY-MM-DD), oldest first.' }),
    counts: z.object({
      registered_ducklings: series,
      certified: series,
      bonded_agents: series,
      domains: series,
      completed_pecks: series,
    }),
    views: z
      .array(z.object({ day: z.string(), days: z.int(), value: z.number() }))
      .meta({ description: 'Page views of `days` days from `day` on. Empty when none are recorded.' }),
    step: z.union([z.literal(1), z.literal(7)]).meta({ description: 'Days between two values.' }),
    since: z.string().meta({ description: 'The first recorded day.' }),
  })
  .meta({ id: 'MetricsHistory' })

/** A path or URL from the browser. */
export const pageAddress = text(1, 2048)
/** As `document.referrer`, which is empty when there is no referrer. */
export const referrer = text(0, 2048)
