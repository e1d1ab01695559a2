/** What the guard of a coding agent says, and what its owner sees of it (contract A, Guarded coding agents). */
import { z } from 'zod'
import { instant, label, text, timeOrNull } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'

const guardTools = ['claude', 'codex'] as const
const guardModes = ['watch', 'guard', 'strict'] as const

/** Why there is an alarm. The agent says all of them but `no_session`, which the service finds. */
const alarmCauses = ['no_session', 'unguarded', 'disconnected', 'weakened'] as const
export type AlarmCause = (typeof alarmCauses)[number]

export const Heartbeat = z
  .strictObject({
    tool: z.enum(guardTools).meta({ description: 'The coding agent: Claude Code or Codex.' }),
    version: label.meta({ description: 'Of the coding agent.' }),
    computer: label.meta({ description: 'The name of the computer.' }),
    mode: z
      .enum(guardModes)
      .meta({ description: '`watch` asks nothing, `guard` asks when it matters, `strict` asks more often.' }),
    event: z.enum(['session', 'unguarded', 'disconnected']).default('session').meta({
      description:
        '`session`: a session works with the guard. `unguarded`: the settings switch the guard off. `disconnected`: the person took the guard away.',
    }),
    session: text(1, 200)
      .optional()
      .meta({ description: 'Names the session. Only its digest is stored. Needed for `session`.' }),
    since: timeOrNull('For `unguarded`: since when. Counts from a week ago until now.').optional(),
  })
  .refine(({ event, session }) => event !== 'session' || session !== undefined, {
    path: ['session'],
    message: 'is required for the event session',
  })

export type HeartbeatBody = z.output<typeof Heartbeat>

export const Guard = z
  .object({
    tool: z.enum(guardTools),
    version: z.string(),
    computer: z.string().meta({ description: 'The name that the computer has for itself.' }),
    mode: z.enum(guardModes),
    started_at: instant.nullable().meta({ description: 'When its newest session began.' }),
    heard_at: instant.meta({ description: 'When it last said that it works.' }),
    stopped_at: instant.nullable().meta({ description: 'When it was disconnected. Null while it is there.' }),
    warns: z.boolean().meta({ description: 'Whether its owner wants alarms.' }),
    alarm: z
      .object({
        cause: z.enum(alarmCauses).meta({
          description:
            '`no_session`: it worked without a heartbeat. `unguarded`: its settings switched the guard off. `disconnected`: the guard was disconnected. `weakened`: it only watches now.',
        }),
        since: instant,
        raised_at: instant,
      })
      .nullable()
      .meta({ description: 'It acts, or acted, without asking. Only the owner ends it.' }),
  })
  .meta({
    id: 'Guard',
    description: 'The guard of a coding agent, by its own word: it asks before the agent acts.',
  })

/** What the owner decides about the guard. */
export const GuardChange = z.strictObject({
  agent_id: idSchema('agent'),
  change: z.enum(['dismiss', 'off', 'on']).meta({
    description: '`dismiss` ends the alarm, `off` stops alarms for this agent, `on` wants them again.',
  }),
})

/** A row of the guard, as the lists of agents read it. */
export interface GuardRow {
  tool: string
  version: string
  computer: string
  mode: string
  startedAt: Date | null
  heardAt: Date
  stoppedAt: Date | null
  warns: boolean
  alarmCause: string | null
  alarmSince: Date | null
  alarmAt: Date | null
}

/** Returns the wire form of a guard. */
export function presentGuard(row: GuardRow): z.input<typeof Guard> {
  const { alarmCause: cause, alarmSince: since, alarmAt } = row
  return {
    tool: row.tool as (typeof guardTools)[number],
    version: row.version,
    computer: row.computer,
    mode: row.mode as (typeof guardModes)[number],
    started_at: row.startedAt,
    heard_at: row.heardAt,
    stopped_at: row.stoppedAt,
    warns: row.warns,
    alarm:
      cause === null || since === null || alarmAt === null
        ? null
        : { cause: cause as AlarmCause, since, raised_at: alarmAt },
  }
}
