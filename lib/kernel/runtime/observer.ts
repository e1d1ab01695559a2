/** Reports calls and events to the metrics of the process. Nobody observes unless METRICS_PORT is set (contract E, Metrics for the host). */
import { singleton } from './singleton'

/** What a call is known by. Both are names from the code, and never part of a request. */
interface ObservedCall {
  operationId: string
  /** The event that a refused call records. */
  attempt?: string
}

export interface Observer {
  call(call: ObservedCall, status: number, milliseconds: number): void
  /** An event that was committed. */
  event(kind: string): void
}

const holder = () => singleton('observer', () => ({ current: null as Observer | null }))

/** Returns what observes this process, or null. */
export function observer(): Observer | null {
  return holder().current
}

/** Reports every call and event of this process to `next` from now on. */
export function observe(next: Observer | null): void {
  holder().current = next
}
