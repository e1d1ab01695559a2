/**
 * Rate limits of several processes on one port (`WEB_CONCURRENCY`). The primary process counts for all of them, so a limit allows exactly
 * as many requests as with one process. The requests of one turn of the event loop go into one message.
 */
import cluster, { type Worker } from 'node:cluster'
import type { AnyLimitGroup, Rate } from '@/lib/kernel/config/limit-table'
import { singleton } from '@/lib/kernel/singleton'
import type { LimitState } from './limit-state'

interface Taking {
  group: AnyLimitGroup
  key: string
  rate: Rate
}

/** A message to the primary process, and its answer with the same number. */
interface Batch<T> {
  beakLimits: T[]
  number: number
}

interface Asking {
  takings: Taking[]
  resolvers: ((state: LimitState) => void)[]
  number: number
  sent: Map<number, Asking['resolvers']>
}

const isBatch = (message: unknown): message is Batch<never> =>
  typeof message === 'object' && message !== null && 'beakLimits' in message

/** Tells whether another process counts the limits for this one. */
export function isCountedElsewhere(): boolean {
  return cluster.isWorker
}

const asking = () =>
  singleton('limits.asking', (): Asking => {
    const state: Asking = { takings: [], resolvers: [], number: 0, sent: new Map() }
    process.on('message', (message) => {
      if (!isBatch(message)) return
      const { beakLimits, number }: Batch<LimitState> = message
      const resolvers = state.sent.get(number) ?? []
      state.sent.delete(number)
      for (const [index, limit] of beakLimits.entries()) resolvers[index]?.(limit)
    })
    return state
  })

function sendBatch(state: Asking): void {
  const number = state.number++
  state.sent.set(number, state.resolvers)
  process.send?.({ beakLimits: state.takings, number } satisfies Batch<Taking>)
  state.takings = []
  state.resolvers = []
}

/** Takes one token in the primary process. When that process ends, this one ends too. */
export function takeElsewhere(group: AnyLimitGroup, key: string, rate: Rate): Promise<LimitState> {
  const state = asking()
  if (state.takings.length === 0) setImmediate(sendBatch, state)
  state.takings.push({ group, key, rate })
  return new Promise((resolve) => state.resolvers.push(resolve))
}

/** Takes tokens for a process. Called in the primary process. */
export function takeFor(worker: Worker, take: (taking: Taking) => Promise<LimitState> | LimitState): void {
  worker.on('message', async (message: unknown) => {
    if (!isBatch(message)) return
    const { beakLimits, number }: Batch<Taking> = message
    const states = await Promise.all(beakLimits.map(take))
    if (worker.isConnected()) worker.send({ beakLimits: states, number } satisfies Batch<LimitState>)
  })
}
