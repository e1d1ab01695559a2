/** Another instance of the service, a process of its own, on the same database and through the same proxy. */

import { once } from 'node:events'
import { type Answer, type CallOptions, call } from '@/app/beak/_api/call'
import { atEnd } from '@/lab/bench/cleanup'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { startInstance } from '@/lib/fixtures/bundle'
import type { DatabaseProxy } from '@/lib/fixtures/database-proxy'
import { contradictions } from './crash'
import { History, impossibleHistories, type Model, type Outcome, type Recorded, read } from './history'
import type { Play, Played } from './play'

interface OtherInstance {
  /** Calls the instance. Throws without an answer. */
  send(line: string, options: CallOptions): Promise<Pick<Answer, 'status' | 'body'>>
  /** Ends the process at once. */
  kill(): void
}

async function startOther(): Promise<OtherInstance> {
  const { child } = startInstance('app/beak/_api/instance.ts', { LOG_LEVEL: 'silent' })
  const kill = () => void child.kill('SIGKILL')
  atEnd(kill)
  const [port] = await once(child.stdout, 'data')
  const send: OtherInstance['send'] = async (line, { token, body }) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const answer = await fetch(`http://127.0.0.1:${Number(String(port))}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  return { send, kill }
}

/** How a request for one use behaves: decided once, and used at most once after its approval. */

interface PeckState {
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  uses: number
  isRevoked: boolean
}

const decisions: Readonly<Record<string, PeckState['status']>> = {
  approve: 'approved',
  reject: 'rejected',
  cancel: 'cancelled',
}

export const peckModel: Model<PeckState> = {
  start: { status: 'pending', uses: 0, isRevoked: false },
  step(state, action) {
    const decision = decisions[action]
    if (decision !== undefined) return state.status === 'pending' ? { ...state, status: decision } : null
    const isActive = state.status === 'approved' && state.uses === 0 && !state.isRevoked
    if (!isActive) return null
    return action === 'use' ? { ...state, uses: 1 } : { ...state, isRevoked: true }
  },
  view: ({ status, uses }) => `${status} ${uses}`,
}

/**
 * Races with faults: clients decide and use the same requests at the same time while connections are cut, and a checker says whether the answers
 * that they got are possible.
 */

/** Races in a short and in a thorough run. */
const roundsOf = ({ isThorough }: Play) => (isThorough ? 60 : 5)
/** Calls that decide, use and read one request. */
const actions = [
  ...['approve', 'approve', 'approve', 'reject', 'cancel', 'revoke', read, read],
  ...['use', 'use', 'use', 'use', read],
]
/** Statements of one race, about. */
const statementsMax = 90

/** A refusal that says that the call came too late, or too early. */
const refusals = [404, 409]

function meaningOf({ status }: Pick<Answer, 'status'>): { outcome: Outcome } {
  if (status === 200) return { outcome: 'done' }
  if (refusals.includes(status)) return { outcome: 'refused' }
  if (status === 503) return { outcome: 'unknown' }
  throw new Error(`a call of the race answers ${status}`)
}

type Send = (line: string, options: CallOptions) => Promise<Pick<Answer, 'status' | 'body'>>

interface Raced {
  history: History
  asker: ADuckling
  target: ADuckling
  object: string
  /** The grant token, once the asker has read it. */
  grant: string | null
}

const requests: Readonly<Record<string, (of: Raced) => [line: string, options: CallOptions]>> = {
  approve: ({ target: { token }, object }) => [
    'POST /beak/peck/approve',
    { token, body: { peck_id: object } },
  ],
  reject: ({ target: { token }, object }) => [
    'POST /beak/peck/reject',
    { token, body: { peck_id: object, reason: 'No' } },
  ],
  cancel: ({ asker: { token }, object }) => ['POST /beak/peck/cancel', { token, body: { peck_id: object } }],
  revoke: ({ target: { token }, object }) => ['POST /beak/peck/revoke', { token, body: { peck_id: object } }],
  use: ({ grant }) => ['POST /beak/peck/consume', { body: { grant_token: grant, params: {} } }],
  [read]: ({ asker: { token }, object }) => [`GET /beak/peck/status?peck_id=${object}`, { token }],
}

/** Makes a call and records it. A use needs the token that a read has shown. */
async function perform(raced: Raced, action: string, send: Send): Promise<void> {
  const made = requests[action]?.(raced)
  if (made === undefined || (action === 'use' && raced.grant === null)) return
  await raced.history.record(
    { object: raced.object, action },
    () => send(...made),
    (answer) => {
      const meaning = meaningOf(answer)
      if (action !== read || meaning.outcome !== 'done') return meaning
      raced.grant ??= answer.body.grant_token ?? null
      return { ...meaning, seen: `${answer.body.status} ${answer.body.uses}` }
    },
  )
}

interface Instances {
  other: OtherInstance
  /** After so many calls of the race, the other instance is killed. Null: never. */
  killAfter: number | null
}

async function aRace(
  proxy: DatabaseProxy,
  { choices }: Play,
  { other, killAfter }: Instances,
): Promise<readonly Recorded[]> {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const { peck_id: object } = await aPeck(asker, target)
  const raced: Raced = { history: new History(), asker, target, object, grant: null }
  const order = choices
    .shuffled(actions)
    .map((action) => ({ action, send: choices.one<Send>([call, other.send]) }))
  // Some clients begin while others wait for answers.
  const clients = 1 + choices.below(order.length)
  proxy.arm({
    statement: 1 + choices.below(statementsMax),
    when: choices.one(['before', 'after']),
    everything: choices.below(3) === 0,
  })
  let begun = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (const [index, { action, send }] of order.entries()) {
        if (index % clients !== client) continue
        const performed = perform(raced, action, send)
        if (++begun === killAfter) other.kill()
        await performed
      }
    }),
  )
  await proxy.disarm()
  for (const action of [read, 'use', read]) await perform(raced, action, call)
  return raced.history.calls
}

/** In every so many races, the other instance is killed. */
const killEvery = 4

export async function playRaces(proxy: DatabaseProxy, play: Play): Promise<Played> {
  if (!'races'.includes(play.only)) return { played: 0, wrong: [] }
  let other = await startOther()
  const rounds = roundsOf(play)
  const calls: Recorded[] = []
  for (let round = 1; round <= rounds; round++) {
    const killAfter = round % killEvery === 0 ? 1 + play.choices.below(actions.length) : null
    calls.push(...(await aRace(proxy, play, { other, killAfter })))
    if (killAfter !== null) other = await startOther()
  }
  const wrong = impossibleHistories(peckModel, calls).map((history) => `not possible: ${history}`)
  wrong.push(...(await contradictions()).map((found) => `after the races: ${found}`))
  const count = (outcome: Outcome) => calls.filter((one) => one.outcome === outcome).length
  play.print(
    `${rounds} races on two instances: ${count('done')} calls done, ${count('refused')} refused, ${count('unknown')} without an answer, ${wrong.length} wrong`,
  )
  return { played: rounds, wrong }
}
