/** The alert rules in deploy/prometheus: the process has what they ask for, and each one is explained and tested. */
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { watchClock } from '@/lib/db/service-clock'
import { setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { ignoreMeasurements } from '@/lib/kernel/runtime/clock'
import { observe, observer } from '@/lib/kernel/runtime/observer'
import { forget } from '@/lib/kernel/runtime/singleton'
import { makeRegistry } from './registry'

const read = (path: string) => readFileSync(path, 'utf8')
const rules = read('deploy/prometheus/alerts.yml')
const alerts = [...rules.matchAll(/^\s+- alert: (\w+)$/gm)].map(([, name = '']) => name)

/** The names of the metrics in the expressions, without what Prometheus adds by itself. */
const asked = [...rules.matchAll(/^\s+expr: (?:\|\n((?:\s{10,}.*\n)+)|(.*)\n)/gm)].flatMap(
  ([, lines = '', line = '']) => `${lines}${line}`.match(/\b(?:beak|nodejs|process)_\w+/g) ?? [],
)

it('asks only for metrics that the process has', async () => {
  const before = observer()
  const text = await makeRegistry().metrics()
  const names: string[] = text.match(/(?<=^# TYPE )\w+/gm) ?? []
  observe(before)
  expect(asked.length).toBeGreaterThanOrEqual(alerts.length - 1)
  const unknown = asked.filter((name) => !names.includes(name.replace(/_(?:bucket|count|sum)$/, '')))
  expect(unknown).toEqual([])
})

it('says how far the clock of the machine is off, and whether work that ends something waits', async () => {
  onTestFinished(() => {
    setMachineClock(0)
    ignoreMeasurements(true)
    forget('clock.watch')
  })
  ignoreMeasurements(false)
  await watchClock({ embedded: null, tx: db() })
  setMachineClock(-90_000)
  const before = observer()
  const text = await makeRegistry().metrics()
  observe(before)
  expect(Math.round(Number(/^beak_clock_offset_seconds (\S+)$/m.exec(text)?.[1]))).toBe(-90_000)
  expect(text).toMatch(/^beak_clock_unsettled 1$/m)
})

it('explains each alert at the address that the alert links to', () => {
  const headings = [...read('docs/pages/hosts/alerts.md').matchAll(/^## (Beak\w+)$/gm)].map(
    ([, name]) => name,
  )
  expect(headings).toEqual(alerts)
  const links = [...rules.matchAll(/runbook_url: (\S+)$/gm)].map(([, link]) => link)
  expect(links).toEqual(alerts.map((name) => `https://beak.example/docs/hosts/alerts#${name.toLowerCase()}`))
})

it('has a case in which each alert fires, and one in which it does not', () => {
  const [silent = '', firing = ''] = read('deploy/prometheus/alerts.test.yml').split('everything is wrong')
  for (const alert of alerts) {
    expect(silent).toContain(`alertname: ${alert}\n        eval_time: 90m\n        exp_alerts: []`)
    expect(firing).toContain(`alertname: ${alert}\n        eval_time: 90m\n        exp_alerts:\n          - `)
  }
})
