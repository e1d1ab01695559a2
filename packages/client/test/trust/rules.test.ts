/** What a shop accepts by a rule from a service that uses the rule more often than the person signed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryPins, memoryUsed, permissionTrust, type TrustOptions } from '@beak/client/trust'
import { addUse } from '@beak/client/trust/used-store'
import { periodOf } from '@beak/proofs/rules/period'
import type { RuleStatement } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { pinOf } from '@/lib/fixtures/policy-vectors'
import { makeReceipt, target } from '@/lib/fixtures/receipt-maker'
import { type RuleCase, ruleParts } from '@/lib/fixtures/rule-maker'
import { edPasskey, passkey } from '@/lib/fixtures/signed-parts'
import { aLyingHost, anAnswer, type LyingHost, policy, use } from './lying-host'

const params = { amount: 50, currency: 'EUR', to: 'pond@example.com' }
const byRule: TrustOptions['policy'] = { ...policy, rules: 'accept' }
const trust = (changes: Partial<TrustOptions> = {}): TrustOptions => ({
  policy: byRule,
  used: memoryUsed(),
  ...changes,
})

const used = {
  uses: 1,
  last_used_at: '2026-09-22T14:14:00.000Z',
  outcome: 'consumed',
  ended_at: '2026-09-22T14:14:00.000Z',
} as const

/** The service says at each use that nothing was spent before. */
const nothingBefore = { uses: 0, period_uses: 0, amount: 0 }
const peckId = (number: number) => `PECK-01K8E5W3GQ00000000000000${number + 10}`

/** Returns a host with the permission of this number, which a rule of €50 for each use gave. */
async function hostWith(number: number, one: RuleCase = {}) {
  const parts = await ruleParts({
    params,
    before: nothingBefore,
    ...one,
    statement: { peck_id: peckId(number), ...one.statement },
    claims: { ...used, ...one.claims },
  })
  return aLyingHost(anAnswer(makeReceipt(parts)))
}

/** Uses the permission with this number. Returns `used`, or why not. */
const pay = async (number: number, options: TrustOptions, one: RuleCase = {}) =>
  use(await hostWith(number, one), options, { params })

const budget = (given: object | null): RuleCase => ({ rule: { budget: given } })
const twoUses = budget({ amount: '€100.00', per: 'month', uses: 2 })

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

/** Uses the permissions of the hosts, one after the other. */
async function payAt(hosts: LyingHost[], options: TrustOptions): Promise<string[]> {
  const results: string[] = []
  for (const host of hosts) results.push(await use(host, options, { params }))
  return results
}

describe('a shop that accepts rules', () => {
  // security: site-18
  it.each<[string, RuleCase]>([
    ['uses in all', budget({ uses: 2 })],
    ['uses in a day', budget({ per: 'day', uses_each: 2 })],
    ['an amount in all', budget({ amount: '€100.00' })],
    ['an amount in a month', budget({ amount: '€149.99', per: 'month' })],
    ['an amount in a week, and more uses', budget({ amount: '€100.00', per: 'week', uses: 10 })],
  ])(
    'stops at what the signed rule allows, with %s, although the service says that nothing was spent',
    async (_, one) => {
      const pins = memoryPins()
      pins.add(target, pinOf(passkey))
      const hosts = await Promise.all(numbers(4).map((number) => hostWith(number, one)))
      for (const mine of [trust(), trust({ pins })])
        expect(await payAt(hosts, mine)).toEqual(['used', 'used', 'untrusted', 'untrusted'])
    },
  )

  // security: site-18
  it('accepts as much as the rule allows of 50 simultaneous uses', async () => {
    const mine = trust()
    const seven = budget({ amount: '€350.00', per: 'month', uses: 8 })
    const results = await Promise.all(numbers(50).map((number) => pay(number, mine, seven)))
    expect(results.filter((result) => result === 'used')).toHaveLength(7)
    expect(results.filter((result) => result === 'untrusted')).toHaveLength(43)
  })

  it('says why it stops', async () => {
    const mine = trust()
    for (const number of numbers(2)) await pay(number, mine, twoUses)
    const { beak } = await hostWith(2, twoUses)
    await expect(
      beak.usePermission('a.b.c', params, { audience: 'shop.example', trust: permissionTrust(mine) }),
    ).rejects.toMatchObject({
      refusal: 'untrusted',
      fault: {
        part: 'policy',
        reason: 'budget',
        message: expect.stringContaining('as much as the rule allows'),
      },
    })
  })

  // security: site-18
  it('counts a permission once, even when it is shown again', async () => {
    const mine = trust()
    const results = [await pay(0, mine, twoUses), await pay(0, mine, twoUses), await pay(1, mine, twoUses)]
    expect(results).toEqual(['used', 'consumed', 'used'])
  })

  it('counts a permission once of 50 simultaneous uses of it', async () => {
    const mine = trust()
    const host = await hostWith(0, twoUses)
    const results = await Promise.all(numbers(50).map(() => use(host, mine, { params })))
    expect(results.filter((result) => result === 'used')).toHaveLength(1)
    expect(await pay(1, mine, twoUses)).toBe('used')
  })

  it('does not compare what the service says was spent before', async () => {
    const mine = trust()
    const spent = (uses: number): RuleCase => ({
      ...budget({ uses: 9 }),
      before: { uses, period_uses: uses, amount: 0 },
    })
    // Uses arrive in another order, and permissions that were returned lower the count.
    const results = [await pay(0, mine, spent(5)), await pay(1, mine, spent(2)), await pay(2, mine, spent(2))]
    expect(results).toEqual(['used', 'used', 'used'])
  })

  it('sums each statement of a rule apart: what the person signed again is another budget', async () => {
    const mine = trust()
    const again: RuleCase = { ...twoUses, signed: { nonce: 'signed again' } }
    for (const number of numbers(2)) await pay(number, mine, twoUses)
    expect(await pay(2, mine, twoUses)).toBe('untrusted')
    expect(await pay(3, mine, again)).toBe('used')
  })

  it('sums each period apart, in the time zone of the rule, and uses in all over every period', async () => {
    // Midnight in Berlin is at 22:00.
    const at = (time: string) => trust({ policy: { ...byRule, now: new Date(time) }, used: store })
    const store = memoryUsed()
    const daily = budget({ per: 'day', uses_each: 1, uses: 2 })
    const on = (decidedAt: string): RuleCase => ({
      ...daily,
      decidedAt,
      claims: { ended_at: decidedAt, last_used_at: decidedAt },
    })
    expect(await pay(0, at('2026-09-22T21:59:00.000Z'), on('2026-09-22T21:58:00.000Z'))).toBe('used')
    expect(await pay(1, at('2026-09-22T21:59:30.000Z'), on('2026-09-22T21:59:00.000Z'))).toBe('untrusted')
    expect(await pay(2, at('2026-09-22T22:01:00.000Z'), on('2026-09-22T22:00:00.000Z'))).toBe('used')
    expect(await pay(3, at('2026-09-23T22:01:00.000Z'), on('2026-09-23T22:00:00.000Z'))).toBe('untrusted')
  })

  it('leaves the sum as it was when it refuses a receipt', async () => {
    const mine = trust()
    const forOthers: RuleCase = { ...twoUses, statement: { audience: 'other.example' } }
    const results = [await pay(0, mine, forOthers), await pay(1, mine, twoUses), await pay(2, mine, twoUses)]
    expect(results).toEqual(['untrusted', 'used', 'used'])
  })

  it('keeps the passkey of the rule at the first contact, and accepts no rule of another passkey from then on', async () => {
    const pins = memoryPins()
    const mine = trust({ pins })
    expect(await pay(0, mine)).toBe('used')
    expect(await pins.get(target)).toEqual([pinOf(passkey)])
    expect(await pay(1, mine, { signer: edPasskey })).toBe('untrusted')
    expect(await pay(2, mine)).toBe('used')
  })

  // security: site-19
  it('refuses a decision of more than an hour ago, and accepts it with a longer time', async () => {
    const now = new Date('2026-09-22T15:00:00.000Z')
    const decidedAt = '2026-09-22T13:50:00.000Z'
    const longer: RuleCase = {
      decidedAt,
      claims: { grant_expires_at: '2026-09-22T15:20:00.000Z' },
      statement: { grant_seconds: 7200 },
    }
    expect(await pay(0, trust({ policy: { ...byRule, now } }), longer)).toBe('untrusted')
    const day = { ...byRule, now, decidedWithinSeconds: 86_400 }
    expect(await pay(0, trust({ policy: day }), longer)).toBe('used')
  })

  // security: site-19
  it('refuses a rule that ended, even when its decision is dated back and its permission has no end', async () => {
    const created = { created_at: '2026-09-01T08:00:00.000Z' }
    const one: RuleCase = {
      rule: { expires_in: 604_800 },
      signed: created,
      decidedAt: '2026-09-07T08:00:00.000Z',
      statement: { grant_seconds: null },
      claims: { grant_expires_at: null },
    }
    expect(await pay(0, trust(), one)).toBe('untrusted')
    const anyTime = { ...byRule, decidedWithinSeconds: Number.POSITIVE_INFINITY }
    expect(await pay(0, trust({ policy: anyTime }), one)).toBe('untrusted')
  })

  it('needs a store that sums', () => {
    const { replace: _, ...store } = memoryUsed()
    for (const given of [undefined, store])
      expect(() => permissionTrust(trust({ used: given }))).toThrow('needs a store (used) with `replace`')
  })
})

describe('packages/contract/rule-sums.json', () => {
  interface History {
    about: string
    statement: RuleStatement
    uses: { at: string; cost: number; accepted: boolean }[]
    key: string
    kept: string
  }
  const histories: History[] = JSON.parse(
    readFileSync(join('packages', 'contract', 'rule-sums.json'), 'utf8'),
  )

  it.each(histories.map((one) => [one.about, one] as const))(
    '%s',
    async (_, { statement, uses, key, kept }) => {
      const store = memoryUsed()
      const { time_zone: timeZone, rule } = statement
      const results: boolean[] = []
      for (const { at, cost } of uses) {
        const per = rule.budget?.per
        const period = per === undefined ? null : periodOf(per, timeZone, new Date(at))
        const budget = { cost, period } as Parameters<typeof addUse>[1]['budget']
        results.push(await addUse(store, { statement, budget }))
      }
      expect(results).toEqual(uses.map(({ accepted }) => accepted))
      expect(store.claim(key, 'nothing')).toBe(kept)
    },
  )
})
