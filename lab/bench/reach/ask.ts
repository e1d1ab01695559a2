/** Requests to people of several pools, with the latency of each pool. */
import { Connection, encodeRequest } from '../drive/connection'
import { percentile } from '../measure/statistics'
import type { AgentOwner } from '../scenarios/world'

/** A request that was answered, with the times of its sending and of its answer. */
export interface Asked {
  pool: string
  peckId: string
  /** Milliseconds since 1970. */
  sentAt: number
  latency: number
}

export interface AskLoad {
  origin: string
  agents: AgentOwner[]
  /** The people of each pool. Requests go to the pools in turn. */
  pools: Record<string, string[]>
  seconds: number
  connections: number
  /** The action of all requests, which differ in a param. Without it, each has an action of its own. */
  action?: string
  /** Requests a second. Without it, each connection sends its next request when the last is answered. */
  perSecond?: number
}

/** Makes each request of a benchmark another one. */
let number = 0

/** Sends requests for some seconds. Throws on the first one that is refused. */
export async function ask(load: AskLoad): Promise<Asked[]> {
  const { origin, agents, seconds, connections, perSecond } = load
  const pools = Object.entries(load.pools)
  const asked: Asked[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  let sentCount = 0
  const sendOne = (connection: Connection) =>
    new Promise<void>((resolve, reject) => {
      const turn = number++
      const [pool, people] = pools[turn % pools.length] ?? ['', []]
      const agent = agents[turn % agents.length]
      const body = {
        // The number of agents and the number of people have no common divisor, so that no pair is at its limit.
        target_duckling_id: people[Math.floor(turn / pools.length) % people.length],
        ...(load.action === undefined
          ? { action: `read:f${turn}` }
          : { action: load.action, params: { n: turn } }),
        scope: 'limited',
      }
      const headers = { 'X-Beak-Key': agent?.beakKey ?? '' }
      const bytes = encodeRequest(origin, { method: 'POST', path: '/beak/peck/request', headers, body })
      const sent = performance.now()
      connection.send(bytes, (error, answer) => {
        if (answer?.status !== 200)
          return reject(error ?? new Error(`a request was refused: ${answer?.text().slice(0, 300)}`))
        const latency = performance.now() - sent
        const { peck_id: peckId } = JSON.parse(answer.text()) as { peck_id: string }
        asked.push({ pool, peckId, sentAt: performance.timeOrigin + sent, latency })
        resolve()
      })
    })
  const runOne = async () => {
    const connection = new Connection(origin)
    for (;;) {
      if (perSecond !== undefined) {
        const due = started + (sentCount++ * 1000) / perSecond
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      }
      if (performance.now() >= end) break
      await sendOne(connection)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runOne))
  return asked
}

/** Returns the median and the 99th percentile of some milliseconds. */
export function quantiles(values: number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}
