/** The main job, as clients/scenario.json describes it for every client. */
import { randomBytes } from 'node:crypto'
import { Beak, BeakError, type OperationTypes } from '@beak/client'
import { describe, expect, it } from 'vitest'
import { codeFor } from '@/lib/factories/outbox'
import { readClock } from '@/lib/kernel/clock'
import scenario from '../../scenario.json'
import { startService } from './service'

interface Step {
  name: string
  as?: string | null
  call?: string
  input?: object
  mail?: { to: string }
  meanwhile?: Step[]
  save?: Record<string, string>
  expect?: object
  error?: object
}
interface Run {
  url: string
  variables: Map<string, unknown>
  clients: Map<string, Beak>
  /** When the newest call began. A mail of this call is not older. */
  called: Date
}

/** Replaces `${variable}` in every text of a value. */
function fill(value: unknown, variables: Run['variables']): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value)?.[1]
    if (whole !== undefined) return variables.get(whole)
    return value.replace(/\$\{(\w+)\}/g, (_, name) => String(variables.get(name)))
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, variables)]))
}

/** Returns the part of a value that `expected` names: its members, and the first items of its lists. */
function partOf(value: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(value))
    return expected.map((item, index) => partOf(value[index], item))
  if (typeof expected !== 'object' || expected === null || typeof value !== 'object' || value === null)
    return value
  const members = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(expected).map(([name, item]) => [name, partOf(members[name], item)]),
  )
}

function clientOf(run: Run, actor: string | null): Beak {
  const name = actor ?? ''
  const actors: Record<string, object> = scenario.actors
  const made =
    run.clients.get(name) ??
    new Beak({ url: run.url, ...(fill(actors[name] ?? {}, run.variables) as { token?: string }) })
  run.clients.set(name, made)
  return made
}

async function callOf(run: Run, step: Step): Promise<unknown> {
  run.called = readClock()
  const client = clientOf(run, step.as ?? null)
  const answer = client.call(
    step.call as keyof OperationTypes,
    fill(step.input, run.variables) as OperationTypes['requestPeck']['input'],
  )
  for (const other of step.meanwhile ?? []) await runStep(run, other)
  return answer
}

async function runStep(run: Run, step: Step): Promise<void> {
  const expected = fill(step.expect ?? step.error ?? {}, run.variables)
  let answer: unknown
  if (step.mail) answer = { code: await codeFor(fill(step.mail.to, run.variables) as string, run.called) }
  else if (step.error) {
    answer = await callOf(run, step).catch((error: unknown) => error)
    expect(answer, step.name).toBeInstanceOf(BeakError)
  } else answer = await callOf(run, step)
  expect(partOf(answer, expected), step.name).toEqual(expected)
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = path
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], answer)
    expect(value, `${step.name}: ${path}`).toBeDefined()
    run.variables.set(name, value)
  }
}

describe('the main job', () => {
  const url = startService()

  it('works from sign-up to sign-out', async () => {
    const variables = new Map<string, unknown>([['run', randomBytes(6).toString('hex')]])
    const run: Run = { url: url(), variables, clients: new Map(), called: readClock() }
    for (const step of scenario.steps as Step[]) await runStep(run, step)
    expect(run.clients.size).toBe(4)
  })
})
