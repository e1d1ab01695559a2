import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faultsOf, lineOf, mostAsked, play } from './play'
import { page, pageWith, scoreOf, tableOf } from './report'

const result = await play()
const lines = (all: Parameters<typeof lineOf>[0][]) => all.map((one) => lineOf(one))

it('asks before the harm of each incident', () => {
  expect(result.incidents.length).toBeGreaterThanOrEqual(25)
  for (const { incident, missed } of result.incidents) {
    expect(incident.stop.length, incident.id).toBeGreaterThan(0)
    expect(incident.link, incident.id).toMatch(/^https:\/\//)
    expect(lines(missed), incident.title).toEqual([])
  }
})

it('asks about each hostile line, and about no harmless line that looks like one', () => {
  const { hostile, harmless } = result
  expect([hostile.lines >= 60, harmless.lines >= 20]).toEqual([true, true])
  expect({ missed: lines(hostile.missed), asked: lines(harmless.asked) }).toEqual({ missed: [], asked: [] })
})

it('asks about at most 3 % of ordinary calls, and about those that should ask', () => {
  const { calls, asked } = result.ordinary
  expect(calls).toBeGreaterThanOrEqual(300)
  expect(asked.length, lines(asked).join('\n')).toBeLessThanOrEqual(calls * mostAsked)
  expect(faultsOf(result)).toEqual([])
})

it('has a score that the documents state', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(scoreOf(result))
  expect(pageWith(tableOf(result)), 'Run npm run incidents -- --write').toBe(readFileSync(page, 'utf8'))
})
