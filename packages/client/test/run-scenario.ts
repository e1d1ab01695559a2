/** Runs a scenario such as packages/contract/scenario.json with a client, also with the client of an earlier release. */
import { randomBytes } from 'node:crypto'
import type { Beak, OperationTypes } from '@beak/client'
import { expect } from 'vitest'
import { codeFor } from '@/lib/factories/outbox'
import { readClock } from '@/lib/kernel/runtime/clock'

/** What a client exports that the steps need. */
export interface ClientModule {
  Beak: new (options: { url: string; token?: string; key?: string }) => Pick<Beak, 'call'>
  BeakError: new (...values: never[]) => Error
}

export interface Scenario {
  actors: Record<string, object>
  steps: Step[]
}

interface Step {
  name?: string
  as?: string | null
  call?: string
  key?: string
  input?: object
  mail?: { to: string }
  meanwhile?: Step[]
  save?: Record<string, string>
  expect?: object
  absent?: string[]
  error?: object
}
interface Run {
  url: string
  client: ClientModule
  actors: Scenario['actors']
  variables: Map<string, unknown>
  clients: Map<string, Pick<Beak, 'call'>>
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

function clientOf(run: Run, actor: string | null): Pick<Beak, 'call'> {
  const name = actor ?? ''
  const made =
    run.clients.get(name) ??
    new run.client.Beak({ url: run.url, ...(fill(run.actors[name] ?? {}, run.variables) as object) })
  run.clients.set(name, made)
  return made
}

async function callOf(run: Run, step: Step): Promise<unknown> {
  run.called = readClock()
  const client = clientOf(run, step.as ?? null)
  const answer = client.call(
    step.call as keyof OperationTypes,
    fill(step.input, run.variables) as OperationTypes['requestPeck']['input'],
    ...(step.key === undefined ? [] : [{ idempotencyKey: step.key }]),
  )
  for (const other of step.meanwhile ?? []) await runStep(run, other)
  return answer
}

const nameOf = ({ name, ...step }: Step) => name ?? JSON.stringify(step)

async function runStep(run: Run, step: Step): Promise<void> {
  const expected = fill(step.expect ?? step.error ?? {}, run.variables)
  let answer: unknown
  if (step.mail) answer = { code: await codeFor(fill(step.mail.to, run.variables) as string, run.called) }
  else if (step.error) {
    answer = await callOf(run, step).catch((error: unknown) => error)
    expect(answer, nameOf(step)).toBeInstanceOf(run.client.BeakError)
  } else answer = await callOf(run, step)
  expect(partOf(answer, expected), nameOf(step)).toEqual(expected)
  for (const name of step.absent ?? []) expect(answer, nameOf(step)).not.toHaveProperty(name)
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = path
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], answer)
    expect(value, `${nameOf(step)}: ${path}`).toBeDefined()
    run.variables.set(name, value)
  }
}

/** What the earlier steps of a scenario make, where a test makes it in another way. */
interface Prepared {
  clients: Record<string, Pick<Beak, 'call'>>
  variables: Record<string, unknown>
}

/** Runs only the steps with these operations, and returns how many they are. Fails with the name of the step that went wrong. */
export async function runStepsOf(
  operations: readonly string[],
  { actors, steps }: Scenario,
  client: ClientModule,
  prepared: Prepared,
): Promise<number> {
  const chosen = steps.filter(({ call = '' }) => operations.includes(call))
  await runSteps({ actors, steps: chosen }, client, prepared)
  return chosen.length
}

/** Runs the steps of a case, such as those of packages/contract/permissions.json. Fails with the step that went wrong. */
export async function runSteps(
  { actors = {}, steps }: Partial<Scenario> & Pick<Scenario, 'steps'>,
  client: ClientModule,
  { clients, variables }: Prepared,
): Promise<void> {
  const run: Run = {
    url: '',
    client,
    actors,
    variables: new Map(Object.entries(variables)),
    clients: new Map(Object.entries(clients)),
    called: readClock(),
  }
  for (const step of steps) await runStep(run, step)
}

/** Runs all steps, and returns how many clients they needed. Fails with the name of the step that went wrong. */
export async function runScenario(
  { actors, steps }: Scenario,
  url: string,
  client: ClientModule,
): Promise<number> {
  const variables = new Map<string, unknown>([['run', randomBytes(6).toString('hex')]])
  const run: Run = { url, client, actors, variables, clients: new Map(), called: readClock() }
  for (const step of steps) await runStep(run, step)
  return run.clients.size
}
