/** Rules end or pause when what they stand on ends (contract D3), and the log of their owner says why. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { closeAccount, previewClosing } from '@/lib/domain/accounts/close'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { viewRule } from '@/lib/domain/pecks/rules/read'
import { countDependents, deregisterAgent } from '@/lib/domain/revocation/deregister'
import { endExpiredRules } from '@/lib/domain/rules/end-rules'
import { moveNumber } from '@/lib/domain/trust/elevate'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, provedContext, through } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession, changeAddress, randomPhone, undoLinkTo } from '@/lib/fixtures/accounts'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

let owner: ADuckling
let passkey: APasskey
/** An agent of the owner, and one of somebody else of whom the owner approved something before. */
let own: AnAgent
let other: ADuckling
let others: AnAgent
beforeEach(async () => {
  owner = await aDuckling({ tier: 'T2' })
  passkey = await aPasskey(owner)
  own = await anAgent(owner)
  other = await aDuckling()
  others = await anAgent(other)
  await acquaint(owner, others.agentId)
})

const ruleFor = ({ agentId }: AnAgent) => aRule(owner, passkey.authenticator, shopRule(agentId))
const ruleForAllOf = ({ id }: ADuckling) =>
  aRule(owner, passkey.authenticator, shopRule('', { agent_id: undefined, operator_id: id }))

const pay = (agent: AnAgent) =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount: '€38.00', to: 'shop@example.com' } })

async function stateOf(ruleId: string) {
  const { status, reason } = await viewRule(await owner.context(), ruleId)
  return [status, reason]
}

/** Returns what the owner's log says about a rule, newest first. */
async function logged(ruleId: string) {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: owner.id, action: { in: ['rule.ended', 'rule.paused'] } },
    orderBy: { seq: 'desc' },
  })
  return events
    .filter(({ targets }) => JSON.stringify(targets).includes(ruleId))
    .map(({ action, metadata }) => [action, (metadata as { reason?: string }).reason])
}

describe('an agent that is deregistered', () => {
  it('ends the rules for it, lists those of its owner, and loses its budget', async () => {
    const { rule_id } = await ruleFor(own)
    const kept = await ruleForAllOf(owner)
    await call('POST /beak/rule/budget', {
      token: owner.token,
      body: { agent_id: own.agentId, budget: { uses: 3 } },
    })
    expect((await countDependents(await owner.context(), own.agentId)).rules).toBe(1)
    const { ended_rules } = await deregisterAgent(await provedContext(owner), own.agentId)
    expect(ended_rules).toEqual([rule_id])
    expect(await stateOf(rule_id)).toEqual(['ended', 'agent_retired'])
    expect(await logged(rule_id)).toEqual([['rule.ended', 'agent_retired']])
    expect(await stateOf(kept.rule_id)).toEqual(['on', null])
    expect(await db().agentBudget.count({ where: { agentId: own.agentId } })).toBe(0)
  })

  it('ends the rules of other people for it, and does not name these to its owner', async () => {
    const { rule_id } = await ruleFor(others)
    const { ended_rules } = await deregisterAgent(await provedContext(other), others.agentId)
    expect(ended_rules).toEqual([])
    expect(await logged(rule_id)).toEqual([['rule.ended', 'agent_retired']])
  })
})

describe('an account that is closed', () => {
  it('ends its rules, and lists them as the preview counts them', async () => {
    const rules = [await ruleFor(own), await ruleFor(others), await ruleForAllOf(other)]
    expect((await previewClosing(await owner.context())).rules).toBe(3)
    const { touched } = await closeAccount(await provedContext(owner))
    expect(touched.rules.toSorted()).toEqual(rules.map(({ rule_id }) => rule_id).sort())
    expect(await db().rule.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect((await logged(rules[1]?.rule_id ?? ''))[0]).toEqual(['rule.ended', 'account_closed'])
  })

  it('leaves only what receipts of answered requests need', async () => {
    const { rule_id } = await ruleFor(others)
    const { rule_id: unused } = await ruleFor(own)
    const { peck_id: peckId } = await pay(others)
    await closeAccount(await provedContext(owner))
    expect(await db().ruleUse.findMany({ where: { ruleId: rule_id } })).toMatchObject([{ peckId }])
    expect(await db().ruleStatement.count({ where: { ruleId: rule_id } })).toBe(1)
    expect(await db().ruleStatement.count({ where: { ruleId: unused } })).toBe(0)
  })

  it('ends the rules of others for its agents, which the log of each owner says', async () => {
    const rules = [await ruleFor(others), await ruleForAllOf(other)]
    const { touched } = await closeAccount(await provedContext(other))
    expect(touched.rules).toEqual([])
    const reasons = await Promise.all(rules.map(({ rule_id }) => logged(rule_id)))
    expect(reasons).toEqual([[['rule.ended', 'agent_retired']], [['rule.ended', 'account_closed']]])
  })
})

describe('a block', () => {
  it('ends the rules for the blocked person and its agents, and no others', async () => {
    const [first, second] = [await ruleFor(others), await ruleForAllOf(other)]
    const kept = await ruleFor(own)
    await blockDuckling(await owner.context(), other.id)
    for (const { rule_id } of [first, second]) {
      expect(await stateOf(rule_id)).toEqual(['ended', 'asker_blocked'])
      expect(await logged(rule_id)).toEqual([['rule.ended', 'asker_blocked']])
    }
    expect(await stateOf(kept.rule_id)).toEqual(['on', null])
  })
})

describe('a passkey that is removed', () => {
  // security: session-6
  it('pauses the rules that it signed, and no others, and ends only what these allowed and nobody used', async () => {
    const { rule_id } = await ruleFor(own)
    const { peck_id: ruled } = await pay(own)
    const { peck_id: approved } = await aPeck(own, owner)
    const challenge = await challengePasskey(await owner.context(), { purpose: 'approve', peck_id: approved })
    const assertion = passkey.authenticator.get(challenge)
    await approvePeck(await owner.context(), {
      peckId: approved,
      grantExpiresIn: undefined,
      passkey: assertion,
    })
    const second = await aPasskey({ ...owner, context: () => provedContext(owner) })
    const kept = await aRule(owner, second.authenticator, shopRule(others.agentId))
    const context = await owner.context()
    await transaction((tx) =>
      deletePasskeys(tx, context, { ducklingId: owner.id, where: sql`"id" = ${passkey.id}` }),
    )
    expect(await stateOf(rule_id)).toEqual(['paused', 'passkey_removed'])
    expect(await logged(rule_id)).toEqual([['rule.paused', 'passkey_removed']])
    expect(await stateOf(kept.rule_id)).toEqual(['on', null])
    expect((await pay(own)).status).toBe('pending')
    // The worker's part.
    await drainOutbox()
    const [ended, stays] = await Promise.all(
      [ruled, approved].map((id) => db().peck.findUniqueOrThrow({ where: { id } })),
    )
    expect([ended?.grantRevokedAt, stays?.grantRevokedAt]).toEqual([expect.any(Date), null])
  })
})

describe('a tier that falls', () => {
  it('pauses the rules for agents of others, and leaves those for own agents', async () => {
    const [mine, otherRule, all] = [await ruleFor(own), await ruleFor(others), await ruleForAllOf(other)]
    const phone = randomPhone()
    await db().duckling.update({ where: { id: owner.id }, data: { phone } })
    const context = await other.context()
    await transaction((tx) => moveNumber(tx, context, phone))
    expect(await stateOf(mine.rule_id)).toEqual(['on', null])
    for (const { rule_id } of [otherRule, all]) {
      expect(await stateOf(rule_id)).toEqual(['paused', 'tier_lowered'])
      expect(await logged(rule_id)).toEqual([['rule.paused', 'tier_lowered']])
    }
    expect([(await pay(own)).status, (await pay(others)).status]).toEqual(['approved', 'pending'])
  })
})

describe('an address that is restored', () => {
  // security: session-6
  it('ends the rule that a thief made, and revokes what the rule approved', async () => {
    const thief = through(owner, await anotherSession(owner))
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: readClock() } })
    await changeAddress(thief)
    const { rule_id } = await aRule(thief, passkey.authenticator, shopRule(others.agentId))
    const { peck_id: peckId } = await pay(others)
    const undone = await call('POST /beak/email-change/undo', {
      body: { token: await undoLinkTo(owner.email) },
    })
    expect(undone.status).toBe(200)
    expect(await logged(rule_id)).toEqual([['rule.ended', 'reclaimed']])
    expect((await db().peck.findUniqueOrThrow({ where: { id: peckId } })).grantRevokedAt).not.toBeNull()
    const restored = await db().auditEvent.findFirstOrThrow({
      where: { ducklingId: owner.id, action: 'duckling.email_restored' },
    })
    expect(restored.metadata).toMatchObject({ rules: [rule_id], grants_revoked: [peckId] })
  })
})

describe('a rule whose time is over', () => {
  it('ends with an event of Beak', async () => {
    const { rule_id, expires_at: expiresAt } = await ruleFor(own)
    await endExpiredRules(secondsAfter(new Date(expiresAt), 1))
    expect(await stateOf(rule_id)).toEqual(['ended', 'expired'])
    expect(await logged(rule_id)).toEqual([['rule.ended', 'expired']])
  })
})
