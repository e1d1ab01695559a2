/**
 * Guards of coding agents: Claude Code or Codex that asks before it acts (contract A, Guarded coding agents). The agent says with its own
 * credential that a session works with the guard. Work without that is an alarm, of which the owner is told once, and which only the owner ends.
 */
import type { z } from 'zod'
import { db, type Prisma, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { isOwnSignIn, type ProofFailure, requireOwnProof } from '@/lib/domain/sessions/proof'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import {
  type AgentCaller,
  type Context,
  type DucklingContext,
  systemContext,
} from '@/lib/kernel/request/context'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import {
  type AlarmCause,
  type Guard,
  type GuardChange,
  type GuardRow,
  type HeartbeatBody,
  presentGuard,
} from './guard-schema'
import { lockAgent, lockBondedAgent, readAgent } from './read'
import type { AgentInput } from './schema'

/** A guard says that it works at the start of a session, and each hour in which the session acts. Work counts as unguarded after this time. */
export const silentSeconds = 3 * hour
/** The first call of a session may come before its heartbeat. */
export const graceSeconds = 2 * minute
/** How long the owner has peace from alarms about silence after one was dismissed. */
const peaceSeconds = hour
/** Seconds in which the same heartbeat again changes nothing. */
const repeatSeconds = minute
const sinceSeconds = 7 * day

interface StoredGuard extends GuardRow {
  agentId: string
  ducklingId: string
  sessionHash: Uint8Array | null
  unheardAt: Date | null
  dismissedAt: Date | null
}

/** Takes a heartbeat of the calling agent. It gives the agent no right. Throws `agent_not_bonded`. */
export async function takeHeartbeat(
  context: Context<AgentCaller, 'agent_not_bonded'>,
  body: HeartbeatBody,
): Promise<z.input<typeof Guard>> {
  const known = await findGuard(context.caller.agentId)
  if (known !== null && isRepeated(known, body, context.now)) return presentGuard(known)
  return transaction((tx) => change(tx, context, body))
}

async function findGuard(agentId: string): Promise<StoredGuard | null> {
  return db().guard.findUnique({ where: { agentId } })
}

const hashOf = ({ session }: HeartbeatBody) =>
  session === undefined ? null : new Uint8Array(sha256(`guarded session ${session}`))

/** Whether a heartbeat says only what a guard has just said. So a loop of them writes nothing. */
function isRepeated(known: StoredGuard, body: HeartbeatBody, now: Date): boolean {
  const says = (name: 'tool' | 'version' | 'computer' | 'mode') =>
    known[name] === body[name] || (name !== 'mode' && known.alarmAt !== null)
  return (
    body.event === 'session' &&
    known.heardAt > secondsAfter(now, -repeatSeconds) &&
    known.stoppedAt === null &&
    known.unheardAt === null &&
    Buffer.from(hashOf(body) ?? []).equals(known.sessionHash ?? Buffer.alloc(0)) &&
    (['tool', 'version', 'computer', 'mode'] as const).every(says)
  )
}

async function change(tx: Tx, context: Context<AgentCaller, 'agent_not_bonded'>, body: HeartbeatBody) {
  const { caller, now } = context
  const { event, tool, version, computer, mode } = body
  const agentName = await lockBondedAgent(tx, context, caller.agentId)
  const isNew =
    (await tx.run`
      INSERT INTO "Guard" ("agentId", "ducklingId", "tool", "version", "computer", "mode", "heardAt")
      VALUES (${caller.agentId}, ${caller.id}, ${tool}, ${version}, ${computer}, ${mode}, ${now}::timestamptz)
      ON CONFLICT DO NOTHING`) === 1
  await tx.run`SELECT 1 FROM "Guard" WHERE "agentId" = ${caller.agentId} FOR UPDATE`
  const before = await tx.guard.findUniqueOrThrow({ where: { agentId: caller.agentId } })
  const isSession = event === 'session'
  const hash = hashOf(body)
  const isNewSession =
    isSession && hash !== null && !(before.sessionHash && Buffer.from(before.sessionHash).equals(hash))
  const row: StoredGuard = await tx.guard.update({
    where: { agentId: before.agentId },
    data: {
      mode,
      // An alarm goes on to name what it was about.
      ...(before.alarmAt === null ? { tool, version, computer } : {}),
      ...(isNewSession ? { sessionHash: hash, startedAt: now } : {}),
      ...(isSession ? { heardAt: now, stoppedAt: null, unheardAt: null } : {}),
      ...(event === 'disconnected' ? { stoppedAt: now, unheardAt: null } : {}),
    },
  })
  const isBack = before.stoppedAt !== null && before.alarmAt === null && before.warns
  if (isSession && (isNew || isBack))
    record(tx, context, 'agent.guarded', {
      targets: [{ type: 'agent', id: row.agentId }],
      metadata: { agent_name: agentName, tool, computer, mode },
    })
  if (event === 'disconnected') return raise(tx, context, row, agentName, 'disconnected', now)
  if (event === 'unguarded')
    return raise(tx, context, row, agentName, 'unguarded', clamp(body.since ?? now, now))
  if (mode === 'watch' && before.mode !== 'watch') return raise(tx, context, row, agentName, 'weakened', now)
  return presentGuard(row)
}

const clamp = (since: Date, now: Date) =>
  new Date(Math.min(now.getTime(), Math.max(since.getTime(), secondsAfter(now, -sinceSeconds).getTime())))

/**
 * Raises an alarm and tells the owner. Does nothing while there is an alarm, so that nobody floods the owner: each further one needs that the owner
 * has dismissed the last, and is about a later time. Returns the wire form of the guard.
 */
async function raise(
  tx: Tx,
  context: Context,
  row: StoredGuard,
  agentName: string,
  cause: AlarmCause,
  since: Date,
): Promise<z.input<typeof Guard>> {
  const { now } = context
  if (row.dismissedAt !== null && since <= row.dismissedAt) return presentGuard(row)
  const { count } = await tx.guard.updateMany({
    where: { agentId: row.agentId, alarmAt: null, warns: true },
    data: { alarmCause: cause, alarmSince: since, alarmAt: now },
  })
  if (count !== 1) return presentGuard(row)
  const { tool, computer, ducklingId } = row
  signal(tx, ducklingId)
  record(tx, context, 'agent.unguarded', {
    concerning: [ducklingId],
    targets: [{ type: 'agent', id: row.agentId }],
    ...(cause === 'no_session' ? { actor: systemActor } : {}),
    metadata: { agent_name: agentName, tool, computer, cause, since: since.toISOString() },
  })
  enqueueNotice(tx, now, ducklingId, 'agent_unguarded', {
    agent: agentName,
    agent_id: row.agentId,
    tool,
    computer,
    cause,
    at: since.toISOString(),
  })
  return presentGuard({ ...row, alarmCause: cause, alarmSince: since, alarmAt: now })
}

/** How many alarms one run of the chore raises. */
const alarmsMax = 100

/** Raises the alarms about agents that work without a word of their guard. Called by the worker. */
export async function raiseSilentAlarms(now: Date): Promise<void> {
  await db().run`
    UPDATE "Guard" SET "unheardAt" = "workAt"
    WHERE "workAt" > ${secondsAfter(now, -day)}::timestamptz AND "unheardAt" IS NULL
      AND "workAt" > "heardAt" + ${silentSeconds}::int * interval '1 second'
      AND "workAt" > coalesce("dismissedAt", '-infinity') + ${peaceSeconds}::int * interval '1 second'
      AND "stoppedAt" IS NULL AND "alarmAt" IS NULL AND "warns"`
  const silent = await db().rows<{ agentId: string }>`
    SELECT "agentId" FROM "Guard" WHERE "unheardAt" <= ${secondsAfter(now, -graceSeconds)}::timestamptz AND "alarmAt" IS NULL AND "warns"
    ORDER BY "unheardAt" LIMIT ${alarmsMax}`
  for (const { agentId } of silent) await raiseSilent(agentId, now)
}

function raiseSilent(agentId: string, now: Date): Promise<void> {
  return transaction(async (tx) => {
    const [agent] = await tx.rows<{ name: string }>`
      SELECT "name" FROM "Agent" WHERE "id" = ${agentId} AND "status" = 'bonded' FOR SHARE`
    await tx.run`SELECT 1 FROM "Guard" WHERE "agentId" = ${agentId} FOR UPDATE`
    const row = await tx.guard.findUniqueOrThrow({ where: { agentId } })
    // The heartbeat came meanwhile.
    if (row.unheardAt === null) return
    if (agent !== undefined) await raise(tx, systemContext(now), row, agent.name, 'no_session', row.unheardAt)
    await tx.guard.update({ where: { agentId }, data: { unheardAt: null } })
  })
}

/**
 * Ends the alarm about an agent of the caller, or switches alarms off or on. Changes nothing for an agent without a guard. Throws `agent_not_found`,
 * when alarms are switched off the failures of `requireOwnProof`, and `fresh_sign_in_needed` when a session of the device flow ends an alarm.
 */
export function changeGuard(
  context: DucklingContext<'agent_not_found' | ProofFailure>,
  { agent_id: agentId, change }: z.output<typeof GuardChange>,
): Promise<AgentInput> {
  const { now } = context
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    if (change === 'off') await requireOwnProof(tx, context)
    // A session of the device flow lies beside the agent, which could use it.
    if (change === 'dismiss' && !isOwnSignIn(context.caller))
      throw context.fail('fresh_sign_in_needed', { required: 'fresh_sign_in' })
    const ended = { alarmCause: null, alarmSince: null, alarmAt: null, unheardAt: null, dismissedAt: now }
    const changes: Record<typeof change, Prisma.GuardUpdateManyArgs> = {
      dismiss: { where: { agentId, alarmAt: { not: null } }, data: ended },
      off: { where: { agentId, warns: true }, data: { ...ended, warns: false } },
      on: { where: { agentId, warns: false }, data: { warns: true, dismissedAt: now } },
    }
    const { count } = await tx.guard.updateMany(changes[change])
    if (count === 1) {
      record(tx, context, guardEvents[change], {
        targets: [{ type: 'agent', id: agentId }],
        metadata: { agent_name: agent.name },
      })
      if (change === 'off') announceChange(tx, context, 'guard_alarms_off', agent)
    }
    return readAgent(tx, agentId)
  })
}

const guardEvents = {
  dismiss: 'agent.alarm_dismissed',
  off: 'agent.alarms_off',
  on: 'agent.alarms_on',
} as const
