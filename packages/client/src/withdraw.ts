/**
 * Withdraws requests that nobody waits for any more: after an abort, a failed call, or a signal that ends the process. Nobody else does: without
 * this, a person would be asked for a day for what no program wants. `process.exit()` and SIGKILL leave no time, so such requests expire.
 */
import type { BeakOperations } from './generated/methods'
import type { Peck } from './generated/schemas'

/** How long a withdrawal may delay an abort or the end of the process, in milliseconds. */
const longest = 2_000
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

interface Waiter {
  peckId: string | null
  withdraw(): Promise<void>
}

/** The part of Node's `process` that is used. Browsers and some other runtimes have none. */
interface Process {
  pid: number
  on(signal: string, listener: (signal: string) => void): unknown
  off(signal: string, listener: (signal: string) => void): unknown
  kill(pid: number, signal: string): unknown
  listenerCount(signal: string): number
}

interface Waiting {
  waiters: Set<Waiter>
  /** The process ends when the requests are withdrawn. Nothing that waits goes on meanwhile, because it could exit with another code. */
  isEnding: boolean
}

const name = Symbol.for('@beak/client: requests that wait')

/** Returns what waits in this process. All copies of this module share it, so that one of them ends the process. */
function waiting(): Waiting {
  const place = globalThis as { [name]?: Waiting }
  place[name] ??= { waiters: new Set(), isEnding: false }
  return place[name]
}

function runningProcess(): Process | null {
  const { process } = globalThis as { process?: Partial<Process> }
  return typeof process?.on === 'function' && typeof process.kill === 'function' ? (process as Process) : null
}

function enter(waiter: Waiter): void {
  const { waiters } = waiting()
  if (waiters.size === 0) for (const signal of endSignals) runningProcess()?.on(signal, onSignal)
  waiters.add(waiter)
}

function leave(waiter: Waiter): void {
  const { waiters } = waiting()
  waiters.delete(waiter)
  if (waiters.size === 0) stopListening()
}

function stopListening(): void {
  for (const signal of endSignals) runningProcess()?.off(signal, onSignal)
}

/** Withdraws everything. When the program has no listener of its own, the process then ends as if this one had not been there. */
async function onSignal(signal: string): Promise<void> {
  const process = runningProcess()
  const state = waiting()
  const isAlone = process?.listenerCount(signal) === 1
  const isSecond = state.isEnding
  state.isEnding ||= isAlone
  if (!isSecond) await withinLimit(Promise.all([...state.waiters].map((waiter) => waiter.withdraw())))
  if (!isAlone) return
  stopListening()
  process?.kill(process.pid, signal)
}

async function withinLimit(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, longest)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}

/** Whether somebody still has to answer: this request, or the request that took its place after an undo. */
export const isOpen = ({ status, superseded_by }: Peck): boolean =>
  status === 'pending' || superseded_by !== undefined

/** Cancels a request, or the request that took its place after an undo. One that was decided stays, and without the service it expires. */
async function cancel(beak: BeakOperations, askedId: string): Promise<void> {
  const once = { timeout: longest, retries: 0 }
  let peckId: string | undefined = askedId
  for (let steps = 0; peckId !== undefined && steps < 5; steps++) {
    const peck_id: string = peckId
    const isCancelled = await beak.cancelPeck({ peck_id }, once).then(
      () => true,
      () => false,
    )
    if (isCancelled) return
    const peck: Peck | null = await beak.getPeck({ peck_id }, once).catch(() => null)
    peckId = peck?.superseded_by
  }
}

/** Returns how long a request lasts that is waited for so long, in seconds: 60 to 30 days. */
export function lifetimeFor(wait: number | undefined): number | undefined {
  return wait === undefined || !(wait > 0) ? undefined : Math.min(2_592_000, Math.max(60, Math.ceil(wait)))
}

/** Never resolves while a signal ends the process. */
const unlessEnding = () => (waiting().isEnding ? new Promise<never>(() => {}) : undefined)

/**
 * Asks and waits, and withdraws the request when both end without an answer. Rejects with the reason of `signal` when that aborts, at most two
 * seconds later. `ask` gets a signal that leaves the service time to answer, because only its answer names what is to be withdrawn.
 */
export async function askOrWithdraw(
  beak: BeakOperations,
  signal: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<Peck>,
  wait: (peck: Peck) => Promise<Peck>,
): Promise<Peck> {
  signal?.throwIfAborted()
  const asking = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const giveUp = () => {
    timer = setTimeout(() => asking.abort(signal?.reason), longest)
  }
  signal?.addEventListener('abort', giveUp)
  const asked = ask(asking.signal)
  const waiter: Waiter = {
    peckId: null,
    async withdraw() {
      const peck = await asked.catch(() => null)
      if (peck !== null && isOpen(peck)) await cancel(beak, peck.peck_id)
    },
  }
  enter(waiter)
  try {
    const peck = await asked
    waiter.peckId = peck.peck_id
    signal?.throwIfAborted()
    const decided = isOpen(peck) ? await wait(peck) : peck
    await unlessEnding()
    return decided
  } catch (error) {
    await unlessEnding()
    if (!isShared(waiter)) await withinLimit(waiter.withdraw())
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    leave(waiter)
  }
}

/** Whether another call in this process waits for the same request: asking twice for the same finds the first request. */
function isShared({ peckId }: Waiter): boolean {
  const same = [...waiting().waiters].filter((waiter) => waiter.peckId === peckId)
  return peckId !== null && same.length > 1
}
