import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { updateNotifications } from '@/lib/domain/notifications/update'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { endRule } from '@/lib/domain/pecks/rules/commands'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, type SentRule, shopRule } from '@/lib/factories/rules'
import { config } from '@/lib/kernel/config'
import { day, hour, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { enqueueReports, sendReport } from './report'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})
afterEach(() => void vi.useRealTimers())

const rule = (change: Partial<SentRule> = {}) =>
  aRule(owner, passkey.authenticator, shopRule(agent.agentId, change))

const pay = (amount = '€38.00') =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } })

/** Lets the clock go on. Timers stay real. */
const goOn = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: secondsAfter(readClock(), seconds) })

/** Ends the week that runs, as the worker does. */
async function endWeek(): Promise<void> {
  goOn(7 * day + 6 * minute)
  await enqueueReports(readClock())
}

const mailsOf = async (kind: string) => (await sentTo(owner.email)).filter((message) => message.kind === kind)
const reports = () => mailsOf('rule_report')

const enqueued = () =>
  db().rows<{ payload: { duckling_id: string; since: string; until: string } }>`
    SELECT "payload" FROM "Outbox" WHERE "kind" = 'rule_report' AND "payload" ->> 'duckling_id' = ${owner.id}`

describe('the mail of a week', () => {
  it('has the sentence of each rule, how often it answered and how much money it allowed', async () => {
    const { rule_id } = await rule()
    await rule({
      answer: 'reject',
      params: { amount: { at_least: '€90.00' }, to: { domain: 'example.com' } },
    })
    for (const amount of ['€1.00', '€2.50']) await pay(amount)
    const undone = await pay('€4.00')
    await revokeGrant(await owner.context(), undone.peck_id)
    await pay('€95.00')
    await endWeek()
    const [mail, ...more] = await reports()
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Your rules answered 4 requests this week')
    const text = mail?.text.replaceAll(/\s+/g, ' ')
    expect(text).toContain('Approve without asking me: pay an invoice, for at most €50.00')
    expect(text).toMatch(/Approved: 3\s+Money: €3\.50/)
    expect(text).toContain('Reject without asking me')
    expect(text).toContain('Rejected: 1')
    expect(text).toContain(`${config().baseUrl}/rules/${rule_id}`)
    expect(text).toContain(`${config().baseUrl}/notifications`)
    expect(mail?.html).toContain('€3.50')
  })

  it('is enqueued once by two workers', async () => {
    await rule()
    await pay()
    goOn(7 * day + 6 * minute)
    await Promise.all([enqueueReports(readClock()), enqueueReports(readClock())])
    expect(await enqueued()).toHaveLength(1)
  })

  it('is not sent again after a crash between the mail and the end of its job', async () => {
    await rule()
    await pay()
    await endWeek()
    const [row] = await enqueued()
    expect(await reports()).toHaveLength(1)
    if (row) await sendReport(row.payload, readClock())
    await enqueueReports(readClock())
    expect(await reports()).toHaveLength(1)
  })

  it('is about the answers of its week only', async () => {
    const amounts = async () =>
      (await reports()).map(({ text }) => /Money: (€\d+\.\d+)/.exec(text)?.[1]).sort()
    await rule()
    await pay('€1.00')
    await endWeek()
    expect(await amounts()).toEqual(['€1.00'])
    goOn(hour)
    await pay('€2.00')
    await endWeek()
    expect(await amounts()).toEqual(['€1.00', '€2.00'])
  })

  it('is one after the service did not run for weeks', async () => {
    await rule({ expires_in: 300 * day })
    await pay()
    goOn(21 * day)
    await pay()
    goOn(6 * day)
    await enqueueReports(readClock())
    expect(await reports()).toHaveLength(0)
    await endWeek()
    expect(await reports()).toHaveLength(1)
  })
})

describe('no mail is sent', () => {
  it('after a week in which rules answered nothing, or only watched', async () => {
    await rule({ mode: 'watch' })
    await pay()
    await endWeek()
    expect(await enqueued()).toEqual([])
  })

  it('to an owner who switched it off', async () => {
    await rule()
    await pay()
    await updateNotifications(await owner.context(), { channels: { mail: { rules: false } } })
    await endWeek()
    expect(await enqueued()).toHaveLength(1)
    expect(await reports()).toEqual([])
  })

  it('once no rule is left, and the weeks begin again with the next rule', async () => {
    const { rule_id } = await rule()
    await pay()
    await endRule(await owner.context(), rule_id)
    await endWeek()
    await endWeek()
    expect(await db().ruleReport.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect(await reports()).toHaveLength(1)
    // The session of the owner is valid at the real time.
    vi.useRealTimers()
    await rule()
    expect(await db().ruleReport.count({ where: { ducklingId: owner.id } })).toBe(1)
  })
})

describe('a spent budget', () => {
  it('is mailed once in a period, with the request, the rule and their pages', async () => {
    const { rule_id } = await rule({ budget: { uses: 1 } })
    await db().agent.update({ where: { id: agent.agentId }, data: { name: 'Shopper' } })
    await pay('€1.00')
    const { peck_id } = await pay('€2.00')
    await pay('€3.00')
    const [mail, ...more] = await mailsOf('rule_exhausted')
    expect(more).toEqual([])
    const text = mail?.text.replaceAll(/\s+/g, ' ')
    expect(mail?.subject).toMatch(/^Limit used up: Shopper wants to pay an invoice \(€2\.00/)
    expect(text).toContain('Shopper wants to pay an invoice (€2.00')
    expect(text).toContain(`${config().baseUrl}/pecks/${peck_id}`)
    expect(text).toContain(
      'Less is left of the limit of your rule than this request needs, so you decide yourself.',
    )
    expect(text).toContain('for at most €50.00, to "shop@\u2060example.\u2060com"')
    expect(text).toContain(`${config().baseUrl}/rules/${rule_id}`)
  })

  it('is mailed without the amount when the owner switched values in mails off', async () => {
    await rule({ budget: { uses: 1 } })
    await updateNotifications(await owner.context(), { channels: { mail: { details: false } } })
    for (const amount of ['€1.00', '€2.00']) await pay(amount)
    const [mail] = await mailsOf('rule_exhausted')
    expect(mail?.text).toMatch(/wants to pay an invoice\n/)
    expect(`${mail?.text}${mail?.html}`).not.toContain('€2.00')
  })

  it('is mailed again in the next period', async () => {
    await rule({ budget: { uses_each: 1, per: 'day' } })
    for (const amount of ['€1.00', '€2.00']) await pay(amount)
    expect(await mailsOf('rule_exhausted')).toHaveLength(1)
    goOn(day)
    for (const amount of ['€3.00', '€4.00']) await pay(amount)
    expect(await mailsOf('rule_exhausted')).toHaveLength(2)
  })
})
