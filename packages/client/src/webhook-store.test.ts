/** The kinds and types of events, compared with messages that the service wrote for every kind. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { requestRemoval } from '@/lib/domain/approvers/remove'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import { cancelRecovery, startRecovery } from '@/lib/domain/passkeys/recovery'
import { cancelPeck, rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { expireGrants } from '@/lib/domain/pecks/grant/active'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { expirePecks } from '@/lib/domain/pecks/record'
import { endRule } from '@/lib/domain/pecks/rules/commands'
import { consumeGrant } from '@/lib/domain/pecks/use/use'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { finishRecoveries } from '@/lib/domain/revocation/prove-address'
import { moveNumber } from '@/lib/domain/trust/elevate'
import { testWebhook } from '@/lib/domain/webhooks/claim-slot'
import { anAgent } from '@/lib/factories/agents'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, anonymously, through } from '@/lib/factories/ducklings'
import { anApprover, aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession, randomPhone } from '@/lib/fixtures/accounts'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { webhookKinds as serviceKinds } from '@/lib/infrastructure/events/kinds'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { webhookKinds } from './webhook-store'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

interface Document {
  components: { schemas: Record<string, Schema> }
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>
}

/** Returns the forms that a schema allows, as `formOf` names them. */
function formsOf({ $ref, type, enum: choices, anyOf }: Schema): string[] {
  if (anyOf) return anyOf.flatMap(formsOf)
  if ($ref) return ['object']
  return choices ? ['string'] : [type ?? []].flat()
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return value === null ? 'null' : typeof value
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
  const { peck_id: withdrawn } = await aPeck(owner, other, { action: 'read:audit' })
  await cancelPeck(await owner.context(), withdrawn)
  const { peck_id: revoked } = await anApprovedPeck(other, owner, { action: 'read:mail' })
  await revokeGrant(await owner.context(), revoked)
  const { peck_id: ended } = await anApprovedPeck(owner, other, { action: 'read:calendar' })
  const now = readClock()
  await db().peck.update({ where: { id: ended }, data: { grantExpiresAt: now } })
  await expireGrants(now)
  const phone = randomPhone()
  for (const caller of [owner, other]) {
    const context = await caller.context()
    await transaction((tx) => moveNumber(tx, context, phone))
  }
  const { authenticator } = await aPasskey(owner)
  await useRule(owner, authenticator)
  const fresh = through(owner, await anotherSession(owner))
  await startRecovery(await fresh.context())
  await cancelRecovery(await fresh.context(), undefined)
  await startRecovery(await fresh.context())
  await finishRecoveries(secondsAfter(readClock(), day + 1))
  await anApprover(owner)
  await requestRemoval(await owner.context())
}

/** Lets a rule answer, run out of its budget and end. */
async function useRule(owner: ADuckling, authenticator: Authenticator): Promise<void> {
  const agent = await anAgent(owner)
  const { rule_id } = await aRule(owner, authenticator, shopRule(agent.agentId, { budget: { uses: 1 } }))
  for (const amount of ['€1.00', '€2.00'])
    await aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } })
  await endRule(await owner.context(), rule_id)
}

/** Returns the messages that warn the receiver of an endpoint. */
async function warningsOf(webhookId: string) {
  const payload = { path: ['webhook_id'], equals: webhookId }
  const rows = await db().outbox.findMany({ where: { kind: 'webhook_warning', payload } })
  return rows.map(({ payload: warning }) => {
    const { webhook_id, change } = warning as { webhook_id: string; change: string }
    return { type: 'webhook.changed', data: { webhook_id, change } }
  })
}

beforeAll(async () => {
  const [owner, other] = [await aDuckling(), await aDuckling()]
  const { id: webhookId } = await aWebhook('http://127.0.0.1:9/none', { owner })
  await doEverything(owner, other)
  await testWebhook(await owner.context(), webhookId, 1000)
  const messages = await db().webhookMessage.findMany({ where: { ducklingId: owner.id } })
  // Nobody receives them, so the worker must not try. Another session deletes the endpoint, so its receiver is warned.
  await call('POST /beak/webhook/delete', {
    token: await anotherSession(owner),
    body: { webhook_id: webhookId },
  })
  for (const { type, data } of [...messages, ...(await warningsOf(webhookId))])
    sent.set(type, [...(sent.get(type) ?? []), data as Record<string, unknown>])
})

describe('the kinds of events', () => {
  it('are those that the service sends', () => {
    expect([...webhookKinds].sort()).toEqual([...serviceKinds].sort())
    expect([...sent.keys()].sort()).toEqual([...serviceKinds].sort())
  })

  it('have exactly the members that the API reference tells', async () => {
    const { body } = await call('GET /beak/openapi.json')
    const { components, webhooks } = body as unknown as Document
    for (const [kind, messages] of sent) {
      const { properties } = webhooks[kind]?.post.requestBody.content['application/json'].schema ?? {}
      const name = properties?.data?.$ref?.split('/').at(-1) ?? ''
      const { properties: members = {}, required = [] } = components.schemas[name] ?? {}
      for (const data of messages) {
        expect(Object.keys(members), kind).toEqual(expect.arrayContaining(Object.keys(data)))
        expect(Object.keys(data), kind).toEqual(expect.arrayContaining(required))
        for (const [member, value] of Object.entries(data))
          expect(formsOf(members[member] ?? {}), `${kind}: ${member}`).toContain(formOf(value))
      }
    }
  })
})
