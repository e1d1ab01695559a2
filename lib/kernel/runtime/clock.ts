/**
 * The only place that reads the clock. Everything else takes `now` from its context.
 *
 * The clock of the service is the clock of the database (contract G, Time). A process measures the clock of the database, and counts on from there
 * with the steady clock of its machine, which nobody can set. So a wrong wall clock, or one that jumps, changes nothing that the process decides,
 * signs, records or ends. Without a measurement, the wall clock counts: with the embedded database, and in browsers.
 */

import { isTestService } from '@/lib/kernel/service/test-service'
import { singleton } from './singleton'

/** A measurement, in milliseconds. */
export interface Measured {
  /** What to add to the steady clock to have the time of the service. */
  base: number
  /** The two clocks of the machine at the measurement. */
  wall: number
  steady: number
}

const state = singleton('clock', () => ({
  /** How far this process has moved its clock. Not 0 only in a test service. */
  moved: 0,
  measured: null as Measured | null,
  /** Tests that fake `Date` let time pass with it. */
  isMeasured: true,
}))

/** A measurement is made once a minute. One that is older than this counts no longer. */
const measuredForMs = 150_000
/** The wall clock and the steady clock of one machine agree better than this, unless somebody sets the wall clock or the machine sleeps. */
const toleratedMs = 1_000

/** Returns both clocks of this machine, in milliseconds. */
export function machineClocks(): Pick<Measured, 'wall' | 'steady'> {
  return { wall: Date.now(), steady: performance.now() }
}

function milliseconds(): number {
  const { measured } = state
  return measured === null ? Date.now() : Math.floor(measured.base + performance.now())
}

export function readClock(): Date {
  return new Date(milliseconds() + state.moved)
}

/** Lets the clock of this process continue from a measurement. */
export function setClock(measured: Measured): void {
  if (state.isMeasured) state.measured = measured
}

/** Returns the last measurement, or null. */
export function lastMeasured(): Measured | null {
  return state.measured
}

/**
 * Returns whether the last measurement no longer counts: it is old, or the wall clock has jumped, or the machine was asleep. False without a
 * measurement.
 */
export function isClockInDoubt(): boolean {
  const { measured } = state
  if (measured === null) return false
  const { wall, steady } = machineClocks()
  const passed = steady - measured.steady
  const isOld = passed < 0 || passed > measuredForMs
  return isOld || Math.abs(wall - measured.wall - passed) > toleratedMs
}

/** Returns the seconds that the wall clock of this machine is ahead of the clock of the service. Negative when it is behind. */
export function machineOffset(): number {
  return (Date.now() - milliseconds()) / 1000
}

/** Returns whether measurements count. They do not in tests that let time pass with `Date`. */
export function isMeasuring(): boolean {
  return state.isMeasured
}

/** Ignores measurements from now on, or no longer. For tests that fake `Date`. @internal */
export function ignoreMeasurements(isIgnored: boolean): void {
  state.isMeasured = !isIgnored
  if (isIgnored) state.measured = null
}

/** Moves the clock of a test service forward to a time. An earlier time changes nothing. Throws in every other process. */
export function moveClock(to: Date): void {
  if (!isTestService()) throw new Error('Only a test service can move its clock.')
  state.moved = Math.max(state.moved, to.getTime() - milliseconds())
}

export function secondsAfter(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

/** Returns the latest of some times, at least one. */
export function latest(times: Date[]): Date {
  return new Date(Math.max(...times.map(Number)))
}

/** Returns the earliest of some times, or null when there is none. */
export function earliest(times: Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.min(...times.map(Number)))
}

/** Returns the whole seconds from `now` until `then`, rounded up, at least 1: the value of `Retry-After`. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
}

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour
