/** A rule that was signed before the rules of risk changed. */

import { riskOf } from '@beak/decision/risk/rules'
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})

/** Makes a rule as version 1 of the rules of risk left it. */
async function oldRule(change: Partial<SentRule>, version = 1) {
  const rule = await aRule(
    owner,
    passkey.authenticator,
    shopRule(agent.agentId, { budget: undefined, ...change }),
  )
  await db().rule.update({ where: { id: rule.rule_id }, data: { riskVersion: version } })
  return rule
}
const ask = (action: string, params: Record<string, unknown>) => aPeck(agent, owner, { action, params })
const notices = async () => {
  const sent = await sentTo(owner.email)
  return sent.filter(({ kind }) => kind === 'rule_stopped').length
}

describe('a rule that was signed under an earlier version of the rules of risk', () => {
  it('goes on answering what has a new medium reason', async () => {
    const params = { path: { equals: 'logbook' } }
    await oldRule({ actions: ['read:ship-log'], params, reasons: [] })
    expect(
      riskOf({
        action: 'read:ship-log',
        scope: 'limited',
        params: { path: 'logbook' },
        isOwn: true,
        history: null,
      }),
    ).toMatchObject({
      level: 'medium',
      earlier: [],
    })
    expect((await ask('read:ship-log', { path: 'logbook' })).status).toBe('approved')
  })

  it('is asked when the same rule was signed under the current version', async () => {
    await oldRule({ actions: ['read:ship-log'], params: { path: { equals: 'logbook' } }, reasons: [] }, 2)
    expect((await ask('read:ship-log', { path: 'logbook' })).status).toBe('pending')
  })

  it('does not begin to answer what lost a medium reason', async () => {
    await oldRule({ actions: ['book:table'], params: { guests: { equals: 4 } }, reasons: [] })
    expect((await ask('book:table', { guests: 4 })).status).toBe('pending')
  })

  it('never answers a new high reason, and 50 requests at the same moment mail it once', async () => {
    const params = {
      supplier: { equals: 'Pond' },
      iban: { one_of: ['DE02120300000000202051'] },
      n: { at_least: 0 },
    }
    const { rule_id } = await oldRule({ actions: ['update:supplier'], params, reasons: ['unlisted'] })
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        ask('update:supplier', { supplier: 'Pond', iban: 'DE02120300000000202051', n }),
      ),
    )
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(await notices()).toBe(1)
    expect(await db().rule.findUnique({ where: { id: rule_id } })).toMatchObject({
      reportedRisk: 2,
      status: 'on',
    })
  })

  it('mails nothing about what was a high risk before', async () => {
    await oldRule({ actions: ['delete:database'], params: { name: { equals: 'shop' } } })
    expect((await ask('delete:database', { name: 'shop' })).status).toBe('pending')
    expect(await notices()).toBe(0)
  })
})
