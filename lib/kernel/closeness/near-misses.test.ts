import { readFileSync } from 'node:fs'
import { judge } from '@beak/proofs/rules/judge'
import { readMoney } from '@beak/proofs/rules/money'
import { hostIn } from '@beak/proofs/rules/places'
import { type Constraint, Rule } from '@beak/proofs/rules/rule'
import { describe, expect, it } from 'vitest'
import { type Choices, choicesOf } from '@/lab/faults/seed'
import { nearMisses } from './near-misses'

const agentId = 'AGT-01K8E5W3GQ0000000000000004'
const requester = { duckling_id: 'DUCK-01K8E5W3GQ0000000000000001', agent_id: agentId }

interface Asked {
  action: string
  params: Record<string, unknown>
}

const people = ['anna', 'ben', 'chris', 'dora.k', 'emil', 'fay', 'greta', 'hugo', 'ines', 'jan']
const hosts = ['example.com', 'example.org', 'mail.example.net', 'work.example.com', 'shop.example']
const subjects = ['Lunch', 'Invoice 12', 'Re: lunch', 'Minutes', 'Offer 2026', 'Tickets', 'Holiday', 'Hello']
const cities = ['Berlin', 'Hamburg', 'Paris', 'Bern', 'Rome', 'Oslo']
const pages = ['', 'news', 'news/2', 'docs', 'docs/api', 'admin', 'prices?page=2', 'prices?page=3']
const folders = ['/srv/blue', '/srv/red', '/srv/blue-2', '/home/anna/notes', '/home/anna/work']
const pad = (number: number) => String(number).padStart(2, '0')

/** The ordinary requests of the corpus of risks. */
function readCorpus(): Asked[] {
  const sections = readFileSync(
    new URL('../../../packages/decision/src/risk/corpus.txt', import.meta.url),
    'utf8',
  ).split('\n## ')
  const text = sections.filter((section) => section.startsWith('A week')).join('\n')
  return [...text.matchAll(/^\S+ \S+ (\S+:\S+) (\{".*\})$/gm)].map(([, action = '', params = '']) => ({
    action,
    params: JSON.parse(params) as Asked['params'],
  }))
}

/** What agents of a household, a freelancer and a developer ask in a month. */
function requestOf(choices: Choices): Asked {
  const upTo = (most: number) => choices.below(most) + 1
  const to = `${choices.one(people)}@${choices.one(hosts)}`
  const date = `2026-11-${pad(upTo(28))}`
  return choices.one<() => Asked>([
    () => ({
      action: 'send:email',
      params: { to, subject: choices.one(subjects), body: `See you on ${date}.` },
    }),
    () => ({
      action: 'pay:invoice',
      params: { to, amount: `€${upTo(90)}.${pad(upTo(99))}`, reference: `INV-${upTo(300)}` },
    }),
    () => ({
      action: 'buy:ticket',
      params: {
        from: choices.one(cities),
        to: choices.one(cities),
        date,
        seats: upTo(4),
        amount: upTo(120),
        currency: 'EUR',
      },
    }),
    () => ({
      action: 'book:table',
      params: {
        place: `Café ${choices.one(people)}`,
        date,
        guests: upTo(8),
        outside: choices.one([true, false]),
      },
    }),
    () => ({ action: 'read:page', params: { url: `https://${choices.one(hosts)}/${choices.one(pages)}` } }),
    () => ({
      action: 'write:file',
      params: {
        path: `${choices.one(folders)}/${choices.one(people)}-${upTo(30)}.md`,
        mode: choices.one(['new', 'append']),
      },
    }),
    () => ({
      action: 'add:event',
      params: { title: choices.one(subjects), start: `${date}T${pad(8 + upTo(10))}:00:00Z`, invite: [to] },
    }),
    () => ({
      action: 'call:person',
      params: { phone: `+49 30 ${1_000_000 + upTo(8_000_000)}`, topic: choices.one(subjects) },
    }),
    () => ({
      action: 'deploy:app',
      params: { branch: `fix-${upTo(60)}`, version: `1.${upTo(12)}.${upTo(20)}`, host: choices.one(hosts) },
    }),
  ])()
}

/** Returns a constraint that catches a value, of a kind by chance. */
function constraintFor(choices: Choices, value: unknown): Constraint {
  if (typeof value === 'string' && readMoney(value) !== null) return { at_least: value }
  if (typeof value === 'number') return choices.one<Constraint>([{ equals: value }, { at_least: value }])
  if (typeof value === 'boolean') return { equals: value }
  if (typeof value !== 'string' || value.length > 500) return { unchanged: value ?? null }
  const host = hostIn(value)
  if (host !== null && choices.one([true, false])) return { domain: host }
  const folder = /^(\/.+)\/[^/]+$/.exec(value)?.[1]
  return folder !== undefined && choices.one([true, false]) ? { path_below: folder } : { equals: value }
}

/** Returns an exception that catches one request of the month, by one or two of its params. */
function exceptionFor(choices: Choices, { action, params }: Asked): Rule {
  const names = Object.keys(params)
  const named = [...new Set([choices.one(names), choices.one(names)])]
  return Rule.parse({
    agent_id: agentId,
    actions: [action],
    params: Object.fromEntries(named.map((name) => [name, constraintFor(choices, params[name])])),
    reasons: [],
    expires_in: 3600,
    answer: choices.one(['reject', 'ask']),
    mode: 'on',
  })
}

/** Counts what exceptions ask by a strict comparison, by what else they must not let pass, and in all. */
function countAsked(month: Asked[], exceptions: Rule[]) {
  const asked = { strict: 0, now: 0, more: [] as string[] }
  for (const request of month)
    for (const rule of exceptions.filter(({ actions }) => actions.includes(request.action))) {
      const judged = judge(rule, { ...request, requester, scope: 'limited' })
      const misses = judged.fits ? [] : judged.misses
      const isStrict = misses.every(({ why }) => why === 'unnamed' || why === 'money')
      const isNow = nearMisses(rule, { ...request, requester, scope: 'limited' }, misses) !== null
      if (isStrict) asked.strict++
      if (isNow) asked.now++
      if (isNow && !isStrict) asked.more.push(JSON.stringify([rule.params, request.params]))
    }
  return asked
}

describe('the loose comparison of exceptions, over a month of ordinary requests', () => {
  it('asks at most 1 % more of the requests than the strict comparison, and never less', () => {
    const choices = choicesOf(20_261_128)
    const corpus = readCorpus()
    let [compared, more] = [0, 0]
    for (let person = 0; person < 6; person++) {
      const month = [...Array.from({ length: 300 }, () => requestOf(choices)), ...corpus]
      // Ten rules of each kind of request would be many for a person.
      const exceptions = Array.from({ length: 20 }, () => exceptionFor(choices, choices.one(month)))
      const asked = countAsked(month, exceptions)
      expect(asked.now).toBeGreaterThanOrEqual(asked.strict)
      compared += month.length
      more += asked.more.length
    }
    expect(compared).toBeGreaterThan(2000)
    expect(more / compared).toBeLessThanOrEqual(0.01)
  })
})
