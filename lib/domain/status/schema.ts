import { z } from 'zod'
import { queueNames } from '@/lib/infrastructure/worker/queues'
import { instant } from '@/lib/kernel/request/fields'

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
    components: z.array(
      z.object({
        name: componentName,
        status: condition,
        reason: z
          .enum(['disk_full'])
          .optional()
          .meta({ description: 'Why the database takes no changes: the disk is full.' }),
      }),
    ),
    checked_at: instant,
  })
  .meta({ id: 'SystemStatus' })

export const Readiness = z
  .object({
    status: z.literal('ready'),
    late_queues: z
      .array(z.enum([...queueNames, 'log']))
      .meta({ description: 'What waits for too long. It does not make the instance unready.' }),
  })
  .meta({ id: 'Readiness' })

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
