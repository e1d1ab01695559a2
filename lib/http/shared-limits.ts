/**
 * Rate limits and places of several processes on one port (`WEB_CONCURRENCY`). The primary process counts for all of them, so a limit allows
 * exactly as many requests as with one process. The requests of one turn of the event loop go into one message.
 */
import cluster, { type Worker } from 'node:cluster'
import { singleton } from '@/lib/kernel/singleton'
import type { LimitState, Taking } from './limit-state'
import type { PlaceChange } from './place-leases'

/** What a process asks the primary one. */
type Question = Taking | PlaceChange
type Reply = LimitState | boolean

/** A message to the primary process, and its answer with the same number. */
interface Batch<T> {
  beakLimits: T[]
  number: number
}

interface Asking {
  questions: Question[]
  resolvers: ((reply: never) => void)[]
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
    const state: Asking = { questions: [], resolvers: [], number: 0, sent: new Map() }
    process.on('message', (message) => {
      if (!isBatch(message)) return
      const { beakLimits, number }: Batch<Reply> = message
      const resolvers = state.sent.get(number) ?? []
      state.sent.delete(number)
      for (const [index, reply] of beakLimits.entries()) resolvers[index]?.(reply as never)
    })
    return state
  })

function sendBatch(state: Asking): void {
  const number = state.number++
  state.sent.set(number, state.resolvers)
  process.send?.({ beakLimits: state.questions, number } satisfies Batch<Question>)
  state.questions = []
  state.resolvers = []
}

function ask<R extends Reply>(question: Question): Promise<R> {
  const state = asking()
  if (state.questions.length === 0) setImmediate(sendBatch, state)
  state.questions.push(question)
  return new Promise((resolve) => state.resolvers.push(resolve))
}

/** Takes tokens in the primary process. When that process ends, this one ends too. */
export const takeElsewhere = (taking: Taking) => ask<LimitState>(taking)

/** Takes or gives back a place in the primary process. Returns whether there was one. */
export const changePlaceElsewhere = (change: PlaceChange) => ask<boolean>(change)

/** Answers the questions of a process. Called in the primary process. */
export function answerFor(worker: Worker, answer: (question: Question) => Reply): void {
  worker.on('message', (message: unknown) => {
    if (!isBatch(message)) return
    const { beakLimits, number }: Batch<Question> = message
    const replies = beakLimits.map(answer)
    if (worker.isConnected()) worker.send({ beakLimits: replies, number } satisfies Batch<Reply>)
  })
}
