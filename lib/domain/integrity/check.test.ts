import type { ClientBase } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { closeAccount } from '@/lib/domain/accounts/close'
import { suspendAccount } from '@/lib/domain/accounts/suspend'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { consumeGrant } from '@/lib/domain/pecks/use/use'
import { appendToLog } from '@/lib/domain/tlog/append'
import { createWebhook } from '@/lib/domain/webhooks/update'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, anonymously, provedContext } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { hostContext } from '@/lib/kernel/request/context'
import { readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { checkRows, checkRule } from './check'
import { rules } from './rules'

interface World {
  asker: ADuckling
  target: ADuckling
  closed: ADuckling
  suspended: ADuckling
  agent: AnAgent
  used: string
  waiting: string
  /** A request that a rule answered. */
  ruled: string
}

let world: World

beforeAll(async () => {
  const [asker, target] = [await aDuckling(), await aDuckling({ tier: 'T2' })]
  const [closed, suspended] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(asker)
  await issueCertificate(await target.context())
  const used = await anApprovedPeck(agent, target)
  await consumeGrant(anonymously(), { grantToken: used.grant_token, params: {} })
  await appendToLog(readClock(), { force: true })
  await drainOutbox()
  await closeAccount(await provedContext(closed))
  await createWebhook(await provedContext(asker), {
    url: 'http://127.0.0.1:9/',
    kinds: [],
    description: null,
  })
  await suspendAccount(hostContext({ id: suspended.id, trustTier: 'T1' }, readClock()), null)
  await aPeck(agent, suspended)
  const waiting = await aPeck(agent, target)
  const { authenticator } = await aPasskey(asker)
  await aRule(asker, authenticator, shopRule(agent.agentId, { budget: { amount: '€100.00' } }))
  const params = { amount: '€38.00', to: 'shop@example.com' }
  const { peck_id: ruled } = await aPeck(agent, asker, { action: 'pay:invoice', params })
  const pecks = { used: used.peck_id, waiting: waiting.peck_id, ruled }
  world = { asker, target, closed, suspended, agent, ...pecks }
})

/** Returns what `look` sees after `damage`, which is rolled back. Other tests leave odd rows, so tests compare counts. */
function afterDamage<T>(
  damage: string,
  values: unknown[],
  look: (client: ClientBase) => Promise<T>,
): Promise<T> {
  return onDedicatedConnection(async (client) => {
    await client.query('BEGIN')
    try {
      // Without triggers and foreign keys, as for somebody with all rights.
      await client.query('SET LOCAL session_replication_role = replica')
      if (damage !== '') expect((await client.query(damage, values)).rowCount).toBeGreaterThan(0)
      return await look(client)
    } finally {
      await client.query('ROLLBACK')
    }
  })
}

async function countsOf(client: ClientBase): Promise<Map<string, number>> {
  const { contradictions } = await checkRows(client)
  return new Map(contradictions.map(({ rule, count }) => [rule, count]))
}

/** Returns how many rows break a rule. Reads all logs only for a rule about logs. */
async function countOf(client: ClientBase, rule: string): Promise<number> {
  const query = rules[rule]
  if (query !== undefined) return (await checkRule(client, rule, query)).count
  return (await countsOf(client)).get(rule) ?? 0
}

const event = 'Every event of an audit log follows the event before it and has the hash of its content'
const head = 'Every audit log ends with the event that its head names'
const leaves =
  'The entries of the transparency log are numbered without a gap and have the hashes of their bytes'
const tiles = 'Every stored hash of the transparency log is the root of the hashes below it'
const root = 'The entries of the transparency log give the root of its newest checkpoint'

type Damage = [rule: string, sql: string, value?: (of: World) => string]

const target = ({ target: { id } }: World) => id
const used = (of: World) => of.used
const waiting = (of: World) => of.waiting
const ruled = (of: World) => of.ruled
const closed = ({ closed: { id } }: World) => id
const suspended = ({ suspended: { id } }: World) => id
const asker = ({ asker: { id } }: World) => id
const agent = ({ agent: { agentId } }: World) => agentId

const damages: Damage[] = [
  [
    event,
    `UPDATE "AuditEvent" SET "metadata" = '{"changed": true}' WHERE "ducklingId" = $1 AND "seq" = 2`,
    target,
  ],
  [event, `DELETE FROM "AuditEvent" WHERE "ducklingId" = $1 AND "seq" = 2`, target],
  [head, `DELETE FROM "AuditChain" WHERE "ducklingId" = $1`, target],
  [head, `UPDATE "AuditChain" SET "seq" = "seq" + 1 WHERE "ducklingId" = $1`, target],
  [leaves, `UPDATE "LogEntry" SET "data" = "data" || '\\x20'::bytea WHERE "index" = 0`],
  [leaves, `DELETE FROM "LogEntry" WHERE "index" = 1`],
  [tiles, `INSERT INTO "LogHash" ("level", "index", "hash") VALUES (3, 7, '\\x00')`],
  [root, `UPDATE "LogCheckpoint" SET "root" = '\\x00'`],
  [
    'A permission is used at most as often as it allows',
    `UPDATE "Peck" SET "uses" = 2 WHERE "id" = $1`,
    used,
  ],
  [
    'A use that is listed was counted',
    `INSERT INTO "PeckUse" ("peckId", "number", "usedAt") VALUES ($1, 7, now())`,
    used,
  ],
  [
    'An invitation is used at most as often as it allows, and keeps its link only until its end',
    `INSERT INTO "Invitation" ("id", "ducklingId", "tokenHash", "uses", "maxUses", "createdAt", "endedAt") VALUES ($1, '', '\\x00', 2, 1, now(), now())`,
    () => 'INV-1',
  ],
  [
    'Every request with an invitation was counted',
    `WITH used AS (INSERT INTO "Invitation" ("id", "ducklingId", "tokenHash", "createdAt", "endedAt") VALUES ('INV-2', '', '\\x01', now(), now()))
      UPDATE "Peck" SET "invitationId" = 'INV-2' WHERE "id" = $1`,
    used,
  ],
  [
    'An answer of a rule lies within the budget of its time',
    `UPDATE "RuleUse" SET "after" = jsonb_set("after", '{amount}', '10001') WHERE "peckId" = $1`,
    ruled,
  ],
  [
    'A request says which rule answered exactly when the rule has the answer',
    `UPDATE "Peck" SET "ruleId" = 'RULE-1' WHERE "id" = $1`,
    waiting,
  ],
  [
    'What went back into the budget of a rule was not used',
    `WITH used AS (UPDATE "Peck" SET "uses" = 1 WHERE "id" = $1) UPDATE "RuleUse" SET "state" = 'returned' WHERE "peckId" = $1`,
    ruled,
  ],
  [
    'A rule has counted each of its answers once, and no money twice',
    `INSERT INTO "Rule" ("id", "ducklingId", "subjectId", "rule", "answer", "watches", "status", "timeZone", "statementId", "createdAt", "expiresAt", "uses")
      VALUES ($1, '', '', '{}', 'approve', false, 'on', 'UTC', '', now(), now(), 1)`,
    () => 'RULE-1',
  ],
  [
    'The log of a target has one event for each use of a permission',
    `UPDATE "Peck" SET "uses" = 0 WHERE "id" = $1`,
    used,
  ],
  [
    'The log of a target has one decision for each decided peck, and none for others',
    `UPDATE "Peck" SET "status" = 'approved' WHERE "id" = $1`,
    waiting,
  ],
  [
    'Only a peck that waits has a key against duplicates, and only a decided one has the time',
    `UPDATE "Peck" SET "decidedAt" = now() WHERE "id" = $1`,
    waiting,
  ],
  [
    'A grant token belongs to an approved peck',
    `UPDATE "GrantToken" SET "peckId" = 'PECK-none' WHERE "peckId" = $1`,
    used,
  ],
  [
    'Every digest of a decision, a use or a revocation is in the transparency log once',
    `INSERT INTO "LogQueue" ("kind", "digest")
      SELECT "kind", decode(convert_from("data", 'UTF8')::jsonb ->> 'digest', 'hex') FROM "LogEntry" WHERE "subjectId" = $1 AND "kind" = 'used'`,
    used,
  ],
  [
    'Every event with a digest has its entry in the transparency log, or the entry waits',
    `DELETE FROM "LogEntry" WHERE "subjectId" = $1 AND "kind" = 'used'`,
    used,
  ],
  [
    'The head of an audit log is in the transparency log, or waits',
    `UPDATE "AuditChain" SET "logPending" = false, "seq" = 900 WHERE "ducklingId" = $1`,
    target,
  ],
  [
    'A code that was requested within ten minutes and not made yet waits to be sent',
    `INSERT INTO "OtpCode" ("id", "purpose", "address", "ducklingId", "createdAt") VALUES ('OTP-none', 'phone', '+1', $1, now())`,
    target,
  ],
  [
    'A message about a code has its code',
    `INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt") VALUES ('code', '{"otp_id": "OTP-none"}', now(), now())`,
  ],
  [
    'A link that has no token yet waits to be sent',
    `INSERT INTO "MailLink" ("id", "kind", "ducklingId", "address", "createdAt", "expiresAt") VALUES ('LINK-none', 'email_undo', $1, 'a@b.example', now(), now())`,
    target,
  ],
  [
    'Collected notices have a message',
    `INSERT INTO "Notice" ("ducklingId", "kind", "items", "count") VALUES ($1, 'new_device', '[]', 1)`,
    target,
  ],
  [
    'Pecks that wait for a mail to their target have a message',
    `DELETE FROM "Outbox" WHERE "kind" = 'peck_mail' AND "payload" ->> 'duckling_id' = $1`,
    target,
  ],
  [
    'Pecks that wait for a mail about high risks have a message',
    `UPDATE "PeckMail" SET "stage" = 'alert', "mailId" = NULL WHERE "ducklingId" = $1`,
    target,
  ],
  [
    'A delivery that waits has one message',
    `DELETE FROM "Outbox" WHERE "kind" = 'webhook' AND "ducklingId" = $1`,
    asker,
  ],
  [
    'A webhook that no worker has claimed has its delivery, and its account is in the queue',
    `DELETE FROM "WebhookQueue" WHERE "ducklingId" = $1`,
    asker,
  ],
  [
    'A log whose addresses must be erased waits for it',
    `DELETE FROM "Outbox" WHERE "kind" = 'erase_context' AND "payload" ->> 'duckling_id' = $1`,
    closed,
  ],
  [
    'A channel took an announcement only after an attempt, and reminds and withdraws only then',
    `INSERT INTO "PeckAnnouncement" ("peckId", "channelId", "ducklingId", "createdAt", "announcedAt") VALUES ('PECK-none', 'CHAN-none', $1, now(), now())`,
    asker,
  ],
  [
    'A list of stopped sessions waits to be cleared',
    `UPDATE "AuditChain" SET "stoppedSessions" = '{SESS-none}' WHERE "ducklingId" = $1`,
    asker,
  ],
  [
    'A closed account has no address, no live credential and no open peck',
    `UPDATE "Duckling" SET "email" = 'again@pond.example' WHERE "id" = $1`,
    closed,
  ],
  [
    'Only a closed account has a closed log',
    `UPDATE "AuditChain" SET "closed" = true WHERE "ducklingId" = $1`,
    target,
  ],
  [
    'A suspended account has a suspended log and no session, and no other account has one',
    `UPDATE "AuditChain" SET "suspended" = false WHERE "ducklingId" = $1`,
    suspended,
  ],
  ['Every account has a log', `DELETE FROM "AuditChain" WHERE "ducklingId" = $1`, target],
  [
    'The directory lists visible accounts with a proved address',
    `UPDATE "Duckling" SET "listed" = false WHERE "id" = $1`,
    target,
  ],
  [
    'A tier above T0 has a proved address',
    `UPDATE "Duckling" SET "emailVerifiedAt" = NULL WHERE "id" = $1`,
    target,
  ],
  [
    'A handle belongs to the account that shows it',
    `UPDATE "Duckling" SET "handle" = 'taken-by-nobody' WHERE "id" = $1`,
    target,
  ],
  [
    'A certificate is active exactly when it stands for its account',
    `UPDATE "Certificate" SET "activeFor" = NULL WHERE "ducklingId" = $1`,
    target,
  ],
  [
    'A key is valid exactly when it stands for its agent, and a deregistered agent has none',
    `UPDATE "BeakKey" SET "activeFor" = NULL WHERE "agentId" = $1`,
    agent,
  ],
  [
    'Only an agent that was not bonded has a handshake',
    `INSERT INTO "Handshake" ("id", "agentId", "secretHash", "createdAt", "expiresAt") VALUES ('HAND-none', $1, '\\x00', now(), now())`,
    agent,
  ],
  ['A bonded agent says when it was bonded', `UPDATE "Agent" SET "bondedAt" = NULL WHERE "id" = $1`, agent],
]

describe('checkRows', () => {
  let before: Map<string, number>
  beforeAll(async () => {
    before = await afterDamage('', [], countsOf)
  })

  it.each(damages)('finds a row that breaks "%s"', async (rule, sql, value) => {
    const count = await afterDamage(sql, value ? [value(world)] : [], (client) => countOf(client, rule))
    expect(count).toBeGreaterThan(before.get(rule) ?? 0)
  })

  it('accepts uses of a permission that 0.2.0 has counted, which writes no time', async () => {
    const sql = `UPDATE "Peck" SET "lastUsedAt" = NULL WHERE "id" = $1`
    expect(await afterDamage(sql, [world.used], countsOf)).toEqual(before)
  })

  it('checks every rule, and each has a test', async () => {
    const tested = new Set(damages.map(([rule]) => rule))
    expect((await afterDamage('', [], checkRows)).rules).toBe(tested.size)
    expect(Object.keys(rules).filter((rule) => !tested.has(rule))).toEqual([])
  })

  // security: backup-12
  it('finds nothing in the rows of this test', async () => {
    const own = [world.asker, world.target, world.closed, world.suspended].map(({ id }) => id)
    const { contradictions } = await onDedicatedConnection(async (client) => {
      await client.query('BEGIN')
      return checkRows(client).finally(() => client.query('ROLLBACK'))
    })
    const rows = contradictions.flatMap((one) => one.rows)
    expect(rows.filter((row) => [...own, world.used, world.waiting].some((id) => row.includes(id)))).toEqual(
      [],
    )
    expect(await db().duckling.count({ where: { id: { in: own } } })).toBe(own.length)
  })
})
