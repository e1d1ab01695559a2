/**
 * Runs every operation that changes something with sessions that nobody has just proved, and with the key of an agent. Nothing may be possible
 * afterwards that was not before: no answer of a rule, no way to sign in or on, no name and no budget.
 */

import type { Risk } from '@beak/decision/risk/rules'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { NewPeck } from '@/lib/domain/pecks/new-peck'
import { readRequestFacts } from '@/lib/domain/pecks/request/request-facts'
import { judgedOf } from '@/lib/domain/pecks/rules/answer'
import { verdictsOf } from '@/lib/domain/pecks/rules/verdict'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aHandle, randomEmail } from '@/lib/factories/ducklings'
import { anApprover, aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { anotherSession, randomPhone } from '@/lib/fixtures/accounts'
import { aChannel } from '@/lib/fixtures/channels'
import { keepRows } from '@/lib/fixtures/kept-rows'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type CallOptions, call } from './call'
import { table } from './table'

const wide: Partial<SentRule> = { params: { amount: { at_most: '€50.00' }, to: { domain: 'example.com' } } }
const to = (name: string) => ({ amount: { at_most: '€50.00' }, to: { equals: `${name}@example.com` } })

/** Sites for which the account may have a stored proof, and for which it has none. */
const [knownSite, newSite] = ['known.example', 'shop.example']

/**
 * An account with everything whose removal may allow something, and what the operations can name. `isGuarded`: it also has an approver, requires
 * passkeys for requests, and those of its sessions that can have one have a stored proof for one site.
 */
async function aWorld(isGuarded: boolean) {
  const owner = await aDuckling({ tier: 'T2' })
  const [blocked, paused] = [await aDuckling(), await aDuckling()]
  await db().duckling.update({
    where: { id: owner.id },
    data: { limitRate: 1_000_000, limitBurst: 1_000_000 },
  })
  const { token } = owner
  await call('POST /beak/handle/claim', { token, body: { handle: aHandle() } })
  const agent = await anAgent(owner, { allowQueryKey: false })
  const { id: webhook } = await aWebhook('http://127.0.0.1:9/', { owner })
  const { channel_id: channel } = await aChannel(owner, { kind: 'ntfy', url: 'http://127.0.0.1:9/topic' })
  await call('POST /beak/peck/block', { token, body: { duckling_id: blocked.id } })
  const rejected = await aPeck(paused, owner)
  const waiting = await aPeck(paused, owner, { action: 'delete:database', params: { name: 'customers' } })
  await db().peck.update({
    where: { id: rejected.peck_id },
    data: { status: 'rejected', decidedAt: readClock(), pendingKey: null },
  })
  await call('POST /beak/rule/budget', { token, body: { agent_id: agent.agentId, budget: { uses: 9 } } })
  const { id: passkey, authenticator } = await aPasskey(owner)
  const forms: Partial<SentRule>[] = [
    wide,
    { answer: 'reject', params: to('mallory') },
    { answer: 'ask', params: to('trudy') },
    { params: to('eve'), budget: { uses: 1 } },
    { actions: ['pay:bill'] },
  ]
  const rules: { id: string; rule: SentRule; isSpent: boolean }[] = []
  for (const form of forms) {
    const rule = shopRule(agent.agentId, form)
    const { rule_id } = await aRule(owner, authenticator, rule)
    rules.push({ id: rule_id, rule, isSpent: rule.budget !== undefined })
  }
  await acquaint(owner, agent.agentId)
  await db().duckling.update({ where: { id: owner.id }, data: { minPeckTier: 'T2' } })
  // The session that made all this is none of those that are tried.
  await db().session.updateMany({ where: { ducklingId: owner.id }, data: { amr: ['webauthn'] } })
  const { id } = owner
  const device = await anotherSession(owner)
  await db().session.updateMany({
    where: { ducklingId: id, amr: { equals: ['otp'] } },
    data: { amr: ['device'] },
  })
  const old = await anotherSession(owner)
  await db().session.updateMany({
    where: { ducklingId: id, amr: { equals: ['otp'] } },
    data: {
      amr: ['webauthn'],
      passkeyAt: secondsAfter(readClock(), -hour),
      authTime: secondsAfter(readClock(), -hour),
    },
  })
  const code = await anotherSession(owner)
  if (isGuarded) await guard(owner, passkey)
  const restore = await keepRows(id)
  const credentials = new Map<string, CallOptions>([
    ['a device', { token: device }],
    ['a mailed code', { token: code }],
    ['an old proof', { token: old }],
    ['an agent', { key: agent.beakKey }],
  ])
  const values: Record<string, unknown[]> = {
    agent_id: [agent.agentId],
    duckling_id: [blocked.id, paused.id],
    target_duckling_id: [paused.id],
    asker: [paused.id],
    rule_id: rules.map((rule) => rule.id),
    peck_id: [waiting.peck_id, rejected.peck_id],
    peck_ids: [[waiting.peck_id]],
    webhook_id: [webhook],
    channel_id: [channel],
    passkey_id: [passkey],
    new_email: [randomEmail()],
    phone: [randomPhone()],
    handle: [aHandle()],
    target_domain: [newSite, knownSite],
    url: ['http://127.0.0.1:9/other'],
    origin: ['https://approver.example'],
    budget: [null, { uses: 8 }, { uses: 10 }, { uses_each: 5, per: 'day' }],
    capabilities: [['request:peck']],
    agent_type: ['assistant'],
    kind: ['ntfy'],
  }
  return { owner, blocked, paused, agent, rules, credentials, values, restore }
}

async function guard(owner: ADuckling, passkeyId: string): Promise<void> {
  await anApprover(owner)
  await db().duckling.update({ where: { id: owner.id }, data: { requirePasskeyForPecks: true } })
  // A session of the device flow has no proof unless a passkey confirmed it, and then it is none of those that are tried.
  const sessions = await db().session.findMany({
    where: { ducklingId: owner.id, NOT: { amr: { has: 'device' } } },
    select: { id: true },
  })
  await db().signOnProof.createMany({
    data: sessions.map(({ id: sessionId }) => ({
      sessionId,
      passkeyId,
      domain: knownSite,
      provedAt: readClock(),
    })),
  })
}
type World = Awaited<ReturnType<typeof aWorld>>

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  minimum?: number
}

/** Returns values that a schema accepts. `name`: the name of the field. */
function valuesFor(schema: JsonSchema, known: World['values'], name = ''): unknown[] {
  if (Object.hasOwn(known, name)) return known[name] ?? []
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return forms.flatMap((form) => valuesFor(form, known, name))
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'integer' || schema.type === 'number') return [schema.minimum ?? 1]
  if (schema.type === 'array') return [[]]
  if (schema.type === 'object') return bodiesFor(schema, known)
  return schema.type === 'null' ? [null] : ['Drake']
}

/** Returns bodies with all required fields, in which one field at a time has each of its values. */
function bodiesFor({ properties = {}, required = [] }: JsonSchema, known: World['values']): object[] {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, valuesFor(schema, known, name)] as const,
  )
  const base = Object.fromEntries(
    fields.flatMap(([name, [first]]) => (required.includes(name) ? [[name, first]] : [])),
  )
  return [base, ...fields.flatMap(([name, values]) => values.map((value) => ({ ...base, [name]: value })))]
}

interface Operation {
  line: string
  name: string
  body: JsonSchema
}

const operations: Operation[] = Object.entries(table).flatMap(([path, route]) =>
  Object.entries(route).flatMap(([method, { definition }]) =>
    definition === undefined || method === 'GET' || method === 'HEAD'
      ? []
      : [
          {
            line: `${method} ${path}`,
            name: definition.operationId,
            body: (definition.body === undefined
              ? { type: 'object' }
              : z.toJSONSchema(definition.body, { io: 'input', unrepresentable: 'any' })) as JsonSchema,
          },
        ],
  ),
)

/** Returns the bodies to try. Those of a changed rule belong to the rule. */
function bodiesOf({ name, body }: Operation, { rules, values }: World): unknown[] {
  if (name !== 'updateRule') return valuesFor(body, values)
  return rules.flatMap(({ id, rule }) =>
    [
      { mode: 'watch' },
      { expires_in: 60 },
      { budget: { uses: 1 } },
      { params: { ...rule.params, amount: { at_most: '€0.01' } } },
      { params: { ...rule.params, amount: { at_most: '€90.00' } } },
    ].map((change) => ({ rule_id: id, rule: { ...rule, ...change } })),
  )
}

const probes = [
  ...['mallory', 'trudy', 'eve', 'shop'].map((name) => ['pay:invoice', '€41.00', `${name}@example.com`]),
  ['pay:invoice', '€80.00', 'shop@example.com'],
  ['pay:bill', '€5.00', 'shop@example.com'],
]

/** Returns the requests of the agent that rules would approve now. */
async function approvedBy({ owner, agent, rules }: World): Promise<string[]> {
  const asked = probes.map(([action = '', amount, recipient]) => ({
    requesterDucklingId: owner.id,
    requesterAgentId: agent.agentId,
    askerId: agent.agentId,
    targetDucklingId: owner.id,
    action,
    scope: 'limited',
    params: JSON.stringify({ amount, to: recipient }),
    requireSigned: false,
    pendingKey: null,
  }))
  type Asked = NewPeck & Parameters<typeof judgedOf>[0]
  const risk = { level: 'medium', reasons: [{ rule: 'money' }] } as unknown as Risk
  return transaction(async (tx) => {
    const found: string[] = []
    for (const one of asked) {
      const peck = one as unknown as Asked
      const facts = await readRequestFacts(tx, peck, readClock())
      const verdict = facts && verdictsOf(facts.rules, { ...facts, request: judgedOf(peck), risk }).verdict
      // The budget of one of the rules is spent.
      const isSpent = verdict?.candidate.id === rules.find(({ isSpent }) => isSpent)?.id
      if (verdict?.answer === 'approve' && !isSpent) found.push(`approved: ${one.action} ${one.params}`)
    }
    return found
  })
}

/** Returns what is possible in an account now, and by which names it goes. */
async function possible(world: World): Promise<Set<string>> {
  const { id } = world.owner
  const of = { ducklingId: id }
  const all = await Promise.all([
    approvedBy(world),
    db().rows<{ what: string | null }>`
      SELECT concat_ws(' ', 'name', "displayName", "fullName") AS "what" FROM "Duckling" WHERE "id" = ${id}
      UNION ALL SELECT 'handle ' || "handle" FROM "Duckling" WHERE "id" = ${id}
      UNION ALL SELECT 'mail ' || "email" FROM "Duckling" WHERE "id" = ${id}
      UNION ALL SELECT 'phone ' || "phone" FROM "Duckling" WHERE "id" = ${id}
      UNION ALL SELECT 'asked by ' || t FROM "Duckling", unnest(ARRAY['T1', 'T2', 'T3']) t WHERE "id" = ${id} AND "minPeckTier"::text <= t
      UNION ALL SELECT 'invited by ' || "id" FROM "Invitation" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'always asked by ' || "askerId" FROM "Contact" WHERE "ducklingId" = ${id} AND "alwaysAt" IS NOT NULL
      UNION ALL SELECT 'sign-in with ' || "id" FROM "Passkey" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'session ' || "id" FROM "Session" WHERE "ducklingId" = ${id} AND "revokedAt" IS NULL
      UNION ALL SELECT 'approver ' || "id" FROM "Approver" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'an approver that leaves' FROM "Approver" WHERE "ducklingId" = ${id} AND "removesAt" IS NOT NULL
      UNION ALL SELECT 'less than ' || "covers" || ' without the approver' FROM "Approver" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'no passkey for requests' FROM "Duckling" WHERE "id" = ${id} AND NOT "requirePasskeyForPecks"
      UNION ALL SELECT 'proof of ' || s."id" || ' for ' || o."domain" FROM "SignOnProof" o JOIN "Session" s ON s."id" = o."sessionId" WHERE s."ducklingId" = ${id}
      UNION ALL SELECT 'recovery' FROM "PasskeyRecovery" WHERE "ducklingId" = ${id}
      UNION ALL SELECT CASE WHEN a."allowQueryKey" THEN 'key in addresses ' ELSE 'key ' END || k."id"
        FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."activeFor"
        WHERE a."ducklingId" = ${id} AND a."status" IN ('registered', 'bonded')
      UNION ALL SELECT 'told at ' || "url" || md5("secret") FROM "WebhookEndpoint" WHERE "ducklingId" = ${id} AND "enabled"
      UNION ALL SELECT 'told by ' || "id" FROM "Channel" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'signed on at ' || "targetDomain" FROM "SsoToken" WHERE "ducklingId" = ${id}
      UNION ALL SELECT 'permission ' || "id" FROM "Peck" WHERE "targetDucklingId" = ${id} AND "status" = 'approved'
      UNION ALL SELECT 'more than the budget' FROM "Agent" a LEFT JOIN "AgentBudget" b ON b."agentId" = a."id" AND b."ducklingId" = ${id}
        WHERE a."ducklingId" = ${id} AND a."status" = 'bonded' AND coalesce(b."maxUses", 10) > 9`.then(
      (rows) => rows.flatMap(({ what }) => what ?? []),
    ),
    db()
      .peckBlock.count({ where: of })
      .then((count) => (count === 0 ? ['asked by the blocked'] : [])),
    db()
      .peck.count({ where: { targetDucklingId: id, status: 'rejected', pauseLiftedAt: null } })
      .then((count) => (count === 0 ? ['asked by the paused'] : [])),
    db()
      .approver.count({ where: of })
      .then((count) => (count === 0 ? ['decided without an approver'] : [])),
    db()
      .channel.count({ where: of })
      .then((count) => (count === 0 ? ['silence of channels'] : [])),
    db()
      .webhookEndpoint.count({ where: { ...of, enabled: true } })
      .then((count) => (count === 0 ? ['silence of webhooks'] : [])),
    db()
      .notificationSettings.count({ where: { ...of, mailRequests: { not: 'all' } } })
      .then((count) => (count > 0 ? ['silence of mails'] : [])),
  ])
  return new Set(all.flat())
}

interface Intended {
  operation: string
  what: RegExp
  /** By whom. Undefined: by everybody. */
  by?: readonly string[]
  why: string
}

const kinds = ['a device', 'a mailed code', 'an old proof', 'an agent']

/** What an operation makes possible on purpose. */
const intended: readonly Intended[] = [
  { operation: 'recoverPasskeys', what: /^recovery$/, why: 'waits for a day, in which it can be cancelled' },
  {
    operation: 'issueSsoToken',
    what: /^signed on at /,
    by: ['an agent'],
    why: 'an agent issues tokens by its capability',
  },
  {
    operation: 'issueSsoToken',
    what: new RegExp(`^signed on at ${knownSite}$`),
    by: ['a mailed code', 'an old proof'],
    why: 'this session proved itself for the site',
  },
]

const isIntended = (name: string, who: string, what: string) =>
  intended.some(
    ({ operation, what: known, by = kinds }) => operation === name && by.includes(who) && known.test(what),
  )

const worlds = new Map<boolean, Promise<World>>()

/** Returns the world that all tests with the same guards share. Each of them restores it. */
function worldOf(isGuarded: boolean): Promise<World> {
  const world = worlds.get(isGuarded) ?? aWorld(isGuarded)
  worlds.set(isGuarded, world)
  return world
}

describe('no operation', () => {
  // security: session-7
  it.each(kinds.flatMap((who) => [[who, 'an account'] as const, [who, 'a guarded account'] as const]))(
    'makes anything possible for %s of %s that was not possible before',
    async (who, account) => {
      const world = await worldOf(account === 'a guarded account')
      await world.restore()
      let before = await possible(world)
      const approved = [
        'approved: pay:invoice {"amount":"€41.00","to":"shop@example.com"}',
        'approved: pay:bill {"amount":"€5.00","to":"shop@example.com"}',
      ]
      // A guarded account answers each request with a passkey.
      expect([...before].filter((what) => what.startsWith('approved'))).toEqual(
        account === 'a guarded account' ? [] : approved,
      )
      const wrong: string[] = []
      const reached = new Set<string>()
      for (const operation of operations) {
        const count = bodiesOf(operation, world).length
        for (let turn = 0; turn < count; turn++) {
          const body = bodiesOf(operation, world)[turn]
          const { status } = await call(operation.line, { ...world.credentials.get(who), body })
          if (status !== 400) reached.add(operation.name)
          if (status >= 300) continue
          const after = await possible(world)
          const more = [...after].filter(
            (what) => !before.has(what) && !isIntended(operation.name, who, what),
          )
          if (more.length > 0) wrong.push(`${operation.name} ${JSON.stringify(body)}: ${more.join(', ')}`)
          if (after.size === before.size && more.length === 0) continue
          // What is gone could hide what comes back.
          await world.restore()
          before = await possible(world)
        }
      }
      expect(wrong).toEqual([])
      expect(reached.size).toBeGreaterThan(70)
    },
    120_000,
  )
})
