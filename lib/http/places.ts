/**
 * Who holds the places for heavy calls of an account. A place is a lease, because the process that holds it can die. In Redis the places hold over
 * all instances.
 */

import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { connectRedis, type RedisScripts } from '@/lib/db/redis'
import { fail } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import type { LimitState, Taking } from './limit-state'

/** Heavy calls of one account that run at once. */
export const placesMax = 2
/** Longer than any heavy call takes. */
const leaseMs = 30_000

/** Takes a place of an account for a lease, or gives it back. */
export interface PlaceChange {
  account: string
  lease: string
  isEnd: boolean
}

const holders = () => singleton('places.holders', () => new Map<string, Map<string, number>>())

/** Takes a place or gives it back in the memory of this process. Returns whether there was one. */
export function changePlaceInMemory({ account, lease, isEnd }: PlaceChange): boolean {
  const all = holders()
  const leases = all.get(account) ?? new Map<string, number>()
  if (isEnd) {
    leases.delete(lease)
    if (leases.size === 0) all.delete(account)
    return true
  }
  const now = readClock().getTime()
  for (const [other, end] of leases) if (end <= now) leases.delete(other)
  if (leases.size >= placesMax) return false
  leases.set(lease, now + leaseMs)
  all.set(account, leases)
  return true
}

/** By the clock of Redis, because those of the instances differ. */
const takeScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`
const endScript = `redis.call('ZREM', KEYS[1], ARGV[1]) return 1`

/** Does the same as `changePlaceInMemory`, in Redis. */
export async function changePlaceInRedis(
  redis: RedisScripts,
  { account, lease, isEnd }: PlaceChange,
): Promise<boolean> {
  const keys = [`beak:places:${account}`]
  const changed = isEnd
    ? await redis.eval(endScript, keys, [lease])
    : await redis.eval(takeScript, keys, [lease, placesMax, leaseMs])
  return Number(changed) === 1
}

/**
 * Rate limits and places of several processes on one port (`WEB_CONCURRENCY`). The primary process counts for all of them, so a limit allows
 * exactly as many requests as with one process. The requests of one turn of the event loop go into one message.
 */

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
const changePlaceElsewhere = (change: PlaceChange) => ask<boolean>(change)

/** Answers the questions of a process. Called in the primary process. */
export function answerFor(worker: Worker, answer: (question: Question) => Reply): void {
  worker.on('message', (message: unknown) => {
    if (!isBatch(message)) return
    const { beakLimits, number }: Batch<Question> = message
    const replies = beakLimits.map(answer)
    if (worker.isConnected()) worker.send({ beakLimits: replies, number } satisfies Batch<Reply>)
  })
}

/**
 * Places for heavy calls. At most two of an account run at once, so one caller cannot keep the others waiting. The next ones wait for a moment, and
 * are refused when none of the two ends.
 */

/** Calls of an account that wait in this process. */
const waitingMax = 4
const waitMs = 2_000
/** A place that ends in another process is found after this time. */
const pollMs = 100
/** Seconds until a refused call should try again. */
const retrySeconds = 2

/** The calls of an account that wait for a place in this process. */
interface Line {
  waiting: number
  wakes: Set<() => void>
}

const lines = () => singleton('places.lines', () => new Map<string, Line>())

async function change(place: PlaceChange): Promise<boolean> {
  const redis = connectRedis()
  if (redis !== null) {
    try {
      return await changePlaceInRedis(redis, place)
    } catch (error) {
      log().warn({ error: describeError(error) }, 'places are counted in this process')
    }
  }
  return isCountedElsewhere() ? changePlaceElsewhere(place) : changePlaceInMemory(place)
}

/** Resolves when a place of the account ends in this process, or after a moment. */
function changeOf({ wakes }: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      wakes.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    wakes.add(wake)
  })
}

/** Throws `rate_limited` when no place ends within the time, or too many wait. */
async function waitForPlace(place: PlaceChange): Promise<void> {
  const { account } = place
  const line = lines().get(account) ?? { waiting: 0, wakes: new Set() }
  if (line.waiting >= waitingMax) throw fail('rate_limited', { retry_after: retrySeconds })
  lines().set(account, line)
  line.waiting++
  const end = performance.now() + waitMs
  try {
    for (;;) {
      await changeOf(line, pollMs)
      if (await change(place)) return
      if (performance.now() >= end) throw fail('rate_limited', { retry_after: retrySeconds })
    }
  } finally {
    line.waiting--
    if (line.waiting === 0) lines().delete(account)
  }
}

/** Runs a heavy call in a place of the account. Throws `rate_limited` when there is none within two seconds. */
export async function inPlace<T>(account: string, run: () => Promise<T> | T): Promise<T> {
  const place = { account, lease: randomUUID(), isEnd: false }
  if (!(await change(place))) await waitForPlace(place)
  try {
    return await run()
  } finally {
    await change({ ...place, isEnd: true })
    const [first] = lines().get(account)?.wakes ?? []
    first?.()
  }
}
