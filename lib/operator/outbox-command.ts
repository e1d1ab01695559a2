/** The command for messages that wait or were given up. */

import { z } from 'zod'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { readClock } from '@/lib/kernel/runtime/clock'
import { operatorCommand } from '@/lib/kernel/service/release'
import { type Command, CommandRefused, parseOptions, UsageError, type Work } from './command'

const usage = `See ${operatorCommand('help outbox')}.`
const listed = 50

/** Why a message that was given up cannot be sent again. Others can. */
const ended: { [K in OutboxKind]?: string } = {
  code: 'a code is valid for ten minutes; the person asks for another one',
  text_code: 'a code is valid for ten minutes; the person asks for another one',
  text: 'it was about something that has happened since',
  peck_mail: 'the waiting requests are in the next mail to the same person, which is planned already',
  peck_alert: 'the request is in the next mail to the same person, which is planned already',
  webhook: 'its owner sends it again with POST /beak/webhook/redeliver',
}

interface Row {
  id: bigint
  kind: OutboxKind
  payload: Record<string, unknown>
  attempts: number
  createdAt: Date
  dueAt: Date
  failedAt: Date | null
  lastError: string | null
}

function stateOf({ failedAt, dueAt, attempts }: Row): string {
  if (failedAt !== null) return `given up ${failedAt.toISOString()}`
  return attempts === 0 ? `waits until ${dueAt.toISOString()}` : `next try ${dueAt.toISOString()}`
}

const lineOf = (row: Row) =>
  `${row.id}  ${row.kind}  from ${row.createdAt.toISOString()}  ${row.attempts} tries  ${stateOf(row)}${row.lastError === null ? '' : `\n    ${row.lastError}`}`

interface Count {
  kind: string
  waiting: number
  failed: number
}

/** Shows how many messages of each kind there are, and the newest ones whose tries failed. */
async function list(): Promise<string> {
  const counts = await db().rows<Count>`
    SELECT "kind", count(*) FILTER (WHERE "failedAt" IS NULL)::int AS "waiting", count("failedAt")::int AS "failed"
    FROM "Outbox" GROUP BY "kind" ORDER BY "kind"`
  if (counts.length === 0) return 'No message waits, and none was given up in the last 30 days.'
  const rows = await db().rows<Row>`
    SELECT "id", "kind", "payload", "attempts", "createdAt", "dueAt", "failedAt", "lastError" FROM "Outbox"
    WHERE "lastError" IS NOT NULL AND "kind" <> 'webhook' ORDER BY "id" DESC LIMIT ${listed}`
  const summary = counts.map(({ kind, waiting, failed }) => `${kind}: ${waiting} wait, ${failed} given up`)
  return [...summary, ...(rows.length === 0 ? [] : ['', ...rows.map(lineOf)])].join('\n')
}

function readId(value: string | undefined, others: string[]): bigint {
  if (value === undefined || !/^\d{1,18}$/.test(value) || others.length > 0)
    throw new UsageError(`outbox needs the number of one message, as outbox list shows it. ${usage}`)
  return BigInt(value)
}

/** Returns a message. Throws `CommandRefused` when it is gone: most were sent meanwhile. */
async function find(id: bigint): Promise<Row> {
  const [row] = await db().rows<Row>`
    SELECT "id", "kind", "payload", "attempts", "createdAt", "dueAt", "failedAt", "lastError" FROM "Outbox" WHERE "id" = ${id}`
  if (row === undefined)
    throw new CommandRefused(`There is no message ${id}. It was sent meanwhile, or discarded.`)
  return row
}

/** Members of a payload that the host may read: who and what, never a key. */
const shown = [
  'duckling_id',
  'notice',
  'to',
  'email',
  'letter',
  'ticket_id',
  'link_id',
  'otp_id',
  'kid',
  'webhook_id',
  'delivery_id',
]

async function why(id: bigint): Promise<string> {
  const row = await find(id)
  const about = shown.flatMap((name) =>
    row.payload[name] === undefined ? [] : [`    ${name}: ${row.payload[name]}`],
  )
  return [lineOf(row), ...about].join('\n')
}

function notAgain({ kind, payload }: Row): string | null {
  if (kind.startsWith('notice') && payload.facts === undefined)
    return 'what it collected was discarded when it was given up; the account has the events in its audit log'
  return ended[kind] ?? null
}

/** Lets the worker try a message within seconds. One that was given up gets all its tries again. */
async function retry(id: bigint): Promise<string> {
  const row = await find(id)
  const reason = row.failedAt === null ? null : notAgain(row)
  if (reason !== null)
    throw new CommandRefused(`Message ${id} (${row.kind}) cannot be sent again: ${reason}.`)
  const now = readClock()
  const again =
    row.failedAt === null ? Prisma.empty : Prisma.sql`, "attempts" = 0, "failedAt" = NULL, "lateAt" = NULL`
  const count = await db().run`
    UPDATE "Outbox" SET "dueAt" = ${now}::timestamptz ${again}
    WHERE "id" = ${id} AND "attempts" = ${row.attempts} AND "claimedUntil" IS NULL`
  if (count === 0)
    throw new CommandRefused(`Message ${id} is being sent at this moment. Look again with outbox why ${id}.`)
  return `Message ${id} is tried now. See the result with outbox why ${id}: when it is gone, it was sent.`
}

interface Chosen {
  since: Date | null
  kind: string | null
}

const batch = 1_000

const kindsEnded = Object.keys(ended)

/** Lets the worker try all messages whose tries failed, in batches. Those that cannot be sent again stay as they are. */
async function retryMany({ since, kind }: Chosen): Promise<string> {
  const now = readClock()
  const chosen = Prisma.sql`"lastError" IS NOT NULL AND "kind" <> 'webhook'
    ${kind === null ? Prisma.empty : Prisma.sql`AND "kind" = ${kind}`}
    ${since === null ? Prisma.empty : Prisma.sql`AND COALESCE("failedAt", "createdAt") >= ${since}::timestamptz`}`
  const canGo = Prisma.sql`("failedAt" IS NULL
    OR ("kind" <> ALL(${kindsEnded}::text[]) AND NOT (starts_with("kind", 'notice') AND NOT ("payload" ? 'facts'))))`
  const [left] = await db().rows<{ count: number }>`
    SELECT count(*)::int AS "count" FROM "Outbox" WHERE ${chosen} AND NOT ${canGo}`
  let count = 0
  for (let after = 0n; ; ) {
    const rows = await db().rows<{ id: bigint; isTried: boolean }>`
      WITH page AS (
        SELECT "id" FROM "Outbox" WHERE "id" > ${after} AND ${chosen} AND ${canGo} ORDER BY "id" LIMIT ${batch}
      ), tried AS (
        UPDATE "Outbox" o SET "dueAt" = ${now}::timestamptz,
          "attempts" = CASE WHEN o."failedAt" IS NULL THEN o."attempts" ELSE 0 END,
          "lateAt" = CASE WHEN o."failedAt" IS NULL THEN o."lateAt" END, "failedAt" = NULL
        FROM page WHERE o."id" = page."id" AND o."claimedUntil" IS NULL RETURNING o."id"
      )
      SELECT page."id", tried."id" IS NOT NULL AS "isTried" FROM page LEFT JOIN tried ON tried."id" = page."id" ORDER BY page."id"`
    count += rows.filter(({ isTried }) => isTried).length
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) break
    after = last.id
  }
  const rest =
    left === undefined || left.count === 0
      ? ''
      : ` ${left.count} cannot be sent again: outbox retry <number> says why.`
  if (count === 0) return `No message is tried: none of this choice has failed.${rest} See outbox list.`
  return `${count === 1 ? 'One message is' : `${count} messages are`} tried now.${rest} See the result with outbox list.`
}

function parseRetryMany(args: string[]): Work {
  const options = { all: { type: 'boolean' }, since: { type: 'string' }, kind: { type: 'string' } } as const
  const { all, since, kind } = parseOptions('outbox', { args, options }).values
  if (!all && since === undefined && kind === undefined)
    throw new UsageError(`outbox retry needs a number, --all, --since or --kind. ${usage}`)
  if (since !== undefined && !z.iso.datetime().safeParse(since).success)
    throw new UsageError('outbox retry: --since needs a time in UTC, for example 2026-11-26T03:15:00Z.')
  return () => retryMany({ since: since === undefined ? null : new Date(since), kind: kind ?? null })
}

/** Deletes a message that was given up. One that waits is not deleted: other state depends on it. */
async function discard(id: bigint): Promise<string> {
  const { failedAt, kind } = await find(id)
  if (failedAt === null)
    throw new CommandRefused(
      `Message ${id} (${kind}) is still tried. Only messages that were given up can be discarded.`,
    )
  await transaction((tx) => tx.run`DELETE FROM "Outbox" WHERE "id" = ${id} AND "failedAt" IS NOT NULL`)
  return `Message ${id} is deleted.`
}

const actions = { why, retry, discard }

function parse([action = '', id, ...others]: string[]): Work {
  if (action === 'list') {
    if (id !== undefined) throw new UsageError(`outbox list takes no arguments. ${usage}`)
    return () => list()
  }
  if (!Object.hasOwn(actions, action))
    throw new UsageError(`outbox needs list, why, retry or discard. ${usage}`)
  if (action === 'retry' && (id === undefined || id.startsWith('--')))
    return parseRetryMany(id === undefined ? [] : [id, ...others])
  const number = readId(id, others)
  return () => actions[action as keyof typeof actions](number)
}

export const outboxCommand: Command = {
  name: 'outbox',
  forms: [
    {
      args: 'list',
      summary: 'Shows how many messages wait and were given up, and the newest ones whose tries failed.',
    },
    {
      args: 'why <number>',
      summary: 'Shows one message: for whom, how often it was tried, and the last error.',
    },
    {
      args: 'retry <number>',
      summary: 'Tries a message now, also one that was given up.',
    },
    {
      args: 'retry --all [--since <time>] [--kind <kind>]',
      summary:
        'Tries all messages now whose tries failed, also those that were given up: since a time, or of one kind.',
    },
    { args: 'discard <number>', summary: 'Deletes a message that was given up.' },
  ],
  details:
    'Messages are mails, text messages and work that follows a change. <number> is the number that list\nshows. A message that is gone was sent. Messages that were given up are kept for 30 days. Webhooks are\ncounted only: their owners see their deliveries and send them again.',
  withoutKeys: true,
  reads: ['list', 'why'],
  parse,
}
