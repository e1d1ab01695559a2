/** The types of events, compared with messages that the service wrote for every kind. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { rotateKey } from '@/lib/domain/agents/rotate-key'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { revokeCertificate } from '@/lib/domain/certs/revoke'
import { cancelRecovery } from '@/lib/domain/passkeys/cancel-recovery'
import { finishRecoveries } from '@/lib/domain/passkeys/finish-recoveries'
import { startRecovery } from '@/lib/domain/passkeys/start-recovery'
import { expirePecks } from '@/lib/domain/pecks/decide/expire'
import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { consumeGrant } from '@/lib/domain/pecks/grant/consume'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { moveNumber } from '@/lib/domain/trust/move-number'
import { testWebhook } from '@/lib/domain/webhooks/send-test'
import { anotherSession } from '@/lib/fixtures/accounts'
import { anAgent } from '@/lib/fixtures/agents'
import { type ADuckling, aDuckling, anonymously, through } from '@/lib/fixtures/ducklings'
import { aPasskey } from '@/lib/fixtures/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/fixtures/pecks'
import { randomPhone } from '@/lib/fixtures/phones'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { webhookKinds as serviceKinds } from '@/lib/infrastructure/events/kinds'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { type WebhookData, type WebhookKind, webhookKinds } from './webhook-events'

/** What a member holds. It follows from the type, so a wrong row below does not compile. */
type Form<T> = [T] extends [string]
  ? 'text'
  : [T] extends [string | null]
    ? 'text or null'
    : [T] extends [number]
      ? 'number'
      : [T] extends [number | null]
        ? 'number or null'
        : [T] extends [string[]]
          ? 'texts'
          : 'object'

/** Without optional members, which the events here do not have. */
type Forms<Data> = {
  [Member in keyof Data as undefined extends Data[Member] ? never : Member]: Form<Data[Member]>
}

const agent = {
  agent_id: 'text',
  agent_name: 'text',
  agent_type: 'text',
  capabilities: 'texts',
  status: 'text',
} as const
const peck = {
  peck_id: 'text',
  status: 'text',
  grant_status: 'text or null',
  action: 'text',
  scope: 'text',
  params: 'object',
  params_hash: 'text',
  message: 'text or null',
  summary: 'text',
  reason: 'text or null',
  target_duckling_id: 'text',
  target_display_name: 'text',
  requester: 'object',
  created_at: 'text',
  expires_at: 'text',
  decided_at: 'text or null',
  grant_expires_at: 'text or null',
  uses: 'number',
  max_uses: 'number or null',
  last_used_at: 'text or null',
} as const
const tier = { duckling_id: 'text', previous_tier: 'text', trust_tier: 'text' } as const
const recovery = { duckling_id: 'text', requested_at: 'text', removes_at: 'text' } as const

const forms: { [Kind in WebhookKind]: Forms<WebhookData[Kind]> } = {
  'agent.registered': agent,
  'agent.bonded': agent,
  'agent.suspended': agent,
  'agent.deregistered': { ...agent, cancelled_pecks: 'texts', revoked_grants: 'texts' },
  'key.rotated': { agent_id: 'text', key_id: 'text', retired_key_id: 'text or null', expires_at: 'text' },
  'cert.issued': {
    cert_id: 'text',
    duckling_id: 'text',
    tier: 'text',
    issued_at: 'text',
    supersedes: 'text or null',
  },
  'cert.revoked': { cert_id: 'text', duckling_id: 'text', tier: 'text', revoked_at: 'text' },
  'peck.sent': peck,
  'peck.approved': peck,
  'peck.rejected': peck,
  'peck.expired': peck,
  'peck.consumed': peck,
  'trust.elevated': tier,
  'trust.lowered': tier,
  'passkey.recovery_started': recovery,
  'passkey.recovery_cancelled': recovery,
  'passkey.recovered': recovery,
  'webhook.test': { webhook_id: 'text', message: 'text' },
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string') ? 'texts' : 'list'
  return value === null ? 'null' : typeof value === 'string' ? 'text' : typeof value
}

/** Data of messages by kind, as JSON brings them to a receiver. */
const sent = new Map<string, Record<string, unknown>[]>()

/** Lets a duckling do everything that sends a webhook. */
async function doEverything(owner: ADuckling, other: ADuckling): Promise<void> {
  const { agentId } = await anAgent(owner)
  await rotateKey(await owner.context(), agentId, 90)
  await suspendAgent(await owner.context(), agentId)
  await deregisterAgent(await owner.context(), agentId)
  await issueCertificate(await owner.context())
  await revokeCertificate(await owner.context(), 'lost')
  const { grant_token: grant } = await anApprovedPeck(owner, other)
  await consumeGrant(anonymously(), { grantToken: grant, params: {} })
  const { peck_id: rejected } = await aPeck(other, owner)
  await rejectPeck(await owner.context(), rejected, 'no')
  await aPeck(owner, other, { action: 'read:cert', expiresIn: 60 })
  await expirePecks(secondsAfter(readClock(), 61))
  const phone = randomPhone()
  for (const caller of [owner, other]) {
    const context = await caller.context()
    await transaction((tx) => moveNumber(tx, context, phone))
  }
  await aPasskey(owner)
  const fresh = through(owner, await anotherSession(owner))
  await startRecovery(await fresh.context())
  await cancelRecovery(await fresh.context(), undefined)
  await startRecovery(await fresh.context())
  await finishRecoveries(secondsAfter(readClock(), day + 1))
}

beforeAll(async () => {
  const [owner, other] = [await aDuckling(), await aDuckling()]
  const { id: webhookId } = await aWebhook('http://127.0.0.1:9/none', { owner })
  await doEverything(owner, other)
  await testWebhook(await owner.context(), webhookId, 1000)
  const messages = await db().webhookMessage.findMany({ where: { ducklingId: owner.id } })
  // Nobody receives them, so the worker must not try.
  await call('POST /beak/webhook/delete', { token: owner.token, body: { webhook_id: webhookId } })
  for (const { type, data } of messages)
    sent.set(type, [...(sent.get(type) ?? []), data as Record<string, unknown>])
})

describe('the kinds of events', () => {
  it('are those that the service sends', () => {
    expect([...webhookKinds].sort()).toEqual([...serviceKinds].sort())
  })

  it.each(webhookKinds)('%s has exactly the members of its type', (kind) => {
    const messages = sent.get(kind) ?? []
    expect(messages.length).toBeGreaterThan(0)
    const expected: Record<string, string> = forms[kind]
    for (const data of messages) {
      expect(Object.keys(data).sort()).toEqual(Object.keys(expected).sort())
      for (const [member, form] of Object.entries(expected))
        expect(form.split(' or '), `${kind}: ${member}`).toContain(formOf(data[member]))
    }
  })
})
