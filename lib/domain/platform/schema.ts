import { z } from 'zod'
import { email, instant, text } from '@/lib/kernel/fields'

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

const condition = z.enum(['operational', 'degraded', 'outage'])
export type Condition = z.output<typeof condition>
export const componentName = z.enum(['database', 'outbox', 'redis'])
export type ComponentName = z.output<typeof componentName>

export const SystemStatus = z
  .object({
    status: condition,
    function_version: z.string(),
    agents_alive: z.int().min(0),
    api_latency_ms: z.number().min(0),
    components: z.array(z.object({ name: componentName, status: condition })),
    checked_at: instant,
  })
  .meta({ id: 'SystemStatus' })

export const StatusHistoryQuery = z.strictObject({
  days: z.enum(['30', '90']).default('90').meta({ description: 'How many days back.' }),
})

const seconds = z.int().min(0)

const StatusDay = z.object({
  day: z.string().meta({ description: 'YYYY-MM-DD, in UTC.' }),
  condition: z
    .enum(['operational', 'degraded', 'outage', 'no_data'])
    .meta({ description: 'The worst condition of the day. `no_data`: not measured.' }),
  outage_seconds: seconds,
  degraded_seconds: seconds,
  measured_seconds: seconds.meta({ description: 'How many seconds of the day were measured.' }),
})

const Incident = z.object({
  incident_id: z.string(),
  component: componentName.nullable().meta({ description: 'Null: the whole service.' }),
  condition: z.enum(['degraded', 'outage']),
  source: z
    .enum(['measured', 'operator'])
    .meta({ description: 'Whether the service measured it or its operator wrote it.' }),
  started_at: instant,
  ended_at: instant.nullable().meta({ description: 'Null while it lasts.' }),
  note: z.string().nullable().meta({ description: 'What the operator writes about it.' }),
})

export const StatusHistory = z
  .object({
    since: z.string().nullable().meta({ description: 'The first recorded day. Null: none yet.' }),
    components: z.array(
      z.object({
        name: componentName,
        uptime: z.number().min(0).max(1).nullable().meta({
          description: 'The part of the measured time without an outage. Null when nothing was measured.',
        }),
        days: z
          .array(StatusDay)
          .meta({ description: 'One for each day, oldest first. The last one is today.' }),
      }),
    ),
    incidents: z.array(Incident).meta({ description: 'The 50 newest of these days, newest first.' }),
    as_of: instant,
  })
  .meta({ id: 'StatusHistory' })

/** A path or URL from the browser. */
export const pageAddress = text(1, 2048)
/** As `document.referrer`, which is empty when there is no referrer. */
export const referrer = text(0, 2048)

/**
 * This text is mailed to an address that anybody may enter, so it must not contain anything that mail programs turn into a link.
 * Spec silent: the allowed characters.
 */
export const partnerType = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u,
    'must be 1–64 letters, digits, spaces, _ and -, such as partner or press-list',
  )

/** The body with the token of a link in a newsletter mail. */
export const SubscriptionLink = z.strictObject({ token: z.string().min(1, 'must not be empty').max(200) })

export const Done = z.object({ success: z.literal(true), message: z.string() })
export type DoneInput = z.input<typeof Done>

export const SupportRequest = z.strictObject({
  email,
  /** Line ends are normalized to LF. */
  message: z
    .string()
    .transform((value) => value.replace(/\r\n?/g, '\n'))
    .pipe(text(1, 5000))
    .meta({ type: 'string', minLength: 1, maxLength: 5000 }),
})
