/**
 * Checks that histories of calls are linearizable: the calls of each object have an order that explains every answer and keeps the order of
 * calls that did not overlap. A call without an answer may have happened at any time after its start, or never.
 */

/** What a client learnt. `unknown`: no answer came, or one that does not say whether the call was carried out. */
export type Outcome = 'done' | 'refused' | 'unknown'

export interface Recorded {
  /** What the call was about. */
  object: string
  action: string
  /** Places in the order of all starts and ends. The end is null for a call without an answer. */
  start: number
  end: number | null
  outcome: Outcome
  /** What a read has returned. */
  seen?: string
}

/** How an object behaves when calls come one after another. States must have the same JSON when they are the same. */
export interface Model<State> {
  start: State
  /** Returns the state after an action, or null when the action is refused in this state. */
  step(state: State, action: string): State | null
  /** Returns what a read would return. */
  view(state: State): string
}

/** Records calls in the order of their starts and ends. */
export class History {
  readonly calls: Recorded[] = []
  private time = 0

  /** Runs a call. `outcomeOf` says what its answer means; a call that throws has no answer. */
  async record<T extends object>(
    { object, action }: Pick<Recorded, 'object' | 'action'>,
    run: () => Promise<T>,
    outcomeOf: (answer: T) => { outcome: Outcome; seen?: string },
  ): Promise<void> {
    const call: Recorded = { object, action, start: ++this.time, end: null, outcome: 'unknown' }
    this.calls.push(call)
    const answer = await run().catch(() => null)
    if (answer === null) return
    Object.assign(call, outcomeOf(answer))
    if (call.outcome !== 'unknown') call.end = ++this.time
  }
}

/** The action that changes nothing and returns the state. */
export const read = 'read'

/** Returns the states after a call with this outcome: none when the outcome is not possible in the state. */
function statesAfter<State>(model: Model<State>, state: State, call: Recorded): State[] {
  if (call.action === read)
    return call.outcome === 'unknown' || call.seen === model.view(state) ? [state] : []
  const next = model.step(state, call.action)
  if (call.outcome === 'done') return next === null ? [] : [next]
  if (call.outcome === 'refused') return next === null ? [state] : []
  return next === null ? [state] : [next, state]
}

/** Whether the calls of one object can have happened. */
function isPossible<State>(model: Model<State>, calls: readonly Recorded[]): boolean {
  const tried = new Set<string>()
  const search = (state: State, left: readonly Recorded[]): boolean => {
    if (left.every(({ outcome }) => outcome === 'unknown')) return true
    const key = `${left.map(({ start }) => start).join()} ${JSON.stringify(state)}`
    if (tried.has(key)) return false
    tried.add(key)
    const firstEnd = Math.min(...left.map(({ end }) => end ?? Number.POSITIVE_INFINITY))
    return left.some(
      (call) =>
        call.start < firstEnd &&
        statesAfter(model, state, call).some((next) =>
          search(
            next,
            left.filter((other) => other !== call),
          ),
        ),
    )
  }
  return search(model.start, calls)
}

const lineOf = ({ action, start, end, outcome, seen }: Recorded) =>
  `${start}–${end ?? '…'} ${action} ${seen ?? outcome}`

/** Returns a description of each object whose history is not possible. */
export function impossibleHistories<State>(model: Model<State>, calls: readonly Recorded[]): string[] {
  const objects = [...new Set(calls.map(({ object }) => object))]
  return objects.flatMap((object) => {
    const own = calls.filter((call) => call.object === object)
    return isPossible(model, own) ? [] : [`${object}: ${own.map(lineOf).join(', ')}`]
  })
}
