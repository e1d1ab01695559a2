/**
 * The clock of the service is the clock of the database, which all instances share (contract G, Time). Each process measures it at the start and
 * once a minute. With the embedded database, which has the clock of the machine, only a jump of that clock is noticed.
 */

import { duration } from '@beak/decision/duration'
import {
  isClockInDoubt,
  isMeasuring,
  lastMeasured,
  machineClocks,
  machineOffset,
  readClock,
  setClock,
} from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { withTimeout } from '@/lib/kernel/runtime/timeout'
import { isTestService } from '@/lib/kernel/service/test-service'
import type { Queries } from './sql'

/** A wrong clock of a machine changes nothing in the service, but much beside it: certificates of mail servers, logs of other programs. */
const toleratedSeconds = 5
/** Two measurements whose offsets differ by more do not agree. */
const agreeingMs = 60_000
/** A clock that jumps further is probably wrong. What ends by time waits for somebody to set it right. */
const longJumpMs = 3_600_000
const jumpWaitMs = 600_000
/** A call waits for a measurement no longer than this. */
const settlingSeconds = 2
/** After a measurement that failed, no call waits for the next one for so long. */
const failedPauseMs = 5_000

interface Watch {
  /** How far the machine was ahead of the database at the last measurement. */
  offset: number | null
  /** Whether the last two measurements do not agree. */
  hasDisagreed: boolean
  /** By the steady clock: until when work that ends something waits after a long jump. */
  waitsUntil: number
  /** Whether the log says that the clock of this machine is wrong. */
  isWrong: boolean
  /** The clocks of the machine when they were last compared, with the embedded database. */
  seen: ReturnType<typeof machineClocks> | null
  settling: Promise<void> | null
  failedAt: number
}

const watch = () =>
  singleton(
    'clock.watch',
    (): Watch => ({
      offset: null,
      hasDisagreed: false,
      waitsUntil: 0,
      isWrong: false,
      seen: null,
      settling: null,
      failedAt: Number.NEGATIVE_INFINITY,
    }),
  )

/** Returns what is wrong with the clock of this machine and what to do, or null. `offset`: the seconds that it is ahead. */
export function clockWarning(offset = machineOffset()): string | null {
  const seconds = Math.round(Math.abs(offset))
  if (seconds <= toleratedSeconds) return null
  return `The clock of this machine is ${duration(seconds)} ${offset > 0 ? 'ahead of' : 'behind'} the clock of the database. The service uses the clock of the database. Set that of this machine with NTP: other programs and the certificates of other servers depend on it.`
}

interface Sample {
  /** What to add to the steady clock to have the clock of the database. */
  base: number
  /** How wrong `base` can be. */
  uncertainty: number
}

/** Asks the database for its time once. The answer was made somewhere between question and arrival, so half of the way is taken off. */
async function sample(tx: Pick<Queries, 'rows'>): Promise<Sample> {
  const before = performance.now()
  const [row] = await tx.rows<{ time: Date }>`SELECT clock_timestamp() AS "time"`
  const after = performance.now()
  if (row === undefined) throw new Error('the database gave no time')
  const half = (after - before) / 2
  // The driver drops what is less than a millisecond.
  return { base: row.time.getTime() + 0.5 - (before + half), uncertainty: half + 1 }
}

/** Returns the median of three measurements. */
async function sampleThrice(tx: Pick<Queries, 'rows'>): Promise<Sample> {
  const samples = [await sample(tx), await sample(tx), await sample(tx)]
  return samples.sort((left, right) => left.base - right.base)[1] as Sample
}

/**
 * Measures the clock of the database, and lets the clock of this process continue from there. A difference that the measurement cannot tell from
 * none changes nothing, so that the clock does not tremble.
 */
export async function measureClock(tx: Pick<Queries, 'rows'>): Promise<void> {
  const { base, uncertainty } = await sampleThrice(tx)
  const { wall, steady } = machineClocks()
  const current = lastMeasured()?.base ?? wall - steady
  const isSame = Math.abs(base - current) <= uncertainty
  const step = lastMeasured() === null || isSame ? 0 : base - current
  setClock({ base: isSame ? current : base, wall, steady })
  noteMeasurement(wall - steady - (isSame ? current : base), step, steady)
}

/** `step`: by how much the clock of the service has jumped, which only a jump of the database or a sleep of this machine can do. */
function noteMeasurement(offset: number, step: number, steady: number): void {
  const state = watch()
  const change = state.offset === null ? 0 : Math.abs(offset - state.offset)
  state.offset = offset
  if (Math.abs(step) > longJumpMs) startWaiting(state, step, steady, 'of the database')
  const hasDisagreed = Math.max(change, Math.abs(step)) > agreeingMs
  if (hasDisagreed)
    log().warn(
      { offset_seconds: offset / 1000 },
      `Two measurements of the clock of the database differ by ${inWords(Math.max(change, Math.abs(step)))}. Until two agree, this instance ends nothing by time. The clock of the database or of this machine has jumped, or this machine was asleep. Check both clocks.`,
    )
  else if (state.hasDisagreed) log().warn('Two measurements of the clock of the database agree again.')
  state.hasDisagreed = hasDisagreed
  const warning = clockWarning(offset / 1000)
  if (warning !== null && !state.isWrong) log().warn({ offset_seconds: offset / 1000 }, warning)
  if (warning === null && state.isWrong) log().warn('The clock of this machine is right again.')
  state.isWrong = warning !== null
}

const inWords = (milliseconds: number) => duration(Math.round(Math.abs(milliseconds) / 1000))

function startWaiting(
  state: Watch,
  jump: number,
  steady: number,
  clock: 'of the database' | 'of this machine',
): void {
  state.waitsUntil = steady + jumpWaitMs
  log().warn(
    { jump_seconds: jump / 1000 },
    `The clock has jumped ${jump > 0 ? 'forward' : 'back'} by ${inWords(jump)}, or this machine was asleep. For ten minutes this instance ends nothing by time. Check the clock ${clock}, unless this machine was asleep.`,
  )
}

/** Notices a jump of the wall clock against the steady one since the last call: with the embedded database there is no other clock. */
function noticeJump(): void {
  const state = watch()
  const now = machineClocks()
  const jump = state.seen === null ? 0 : now.wall - state.seen.wall - (now.steady - state.seen.steady)
  state.seen = now
  if (Math.abs(jump) > longJumpMs) startWaiting(state, jump, now.steady, 'of this machine')
}

/** The database whose clock the service uses. */
interface ClockDatabase {
  embedded: unknown
  tx: Pick<Queries, 'rows'>
}

/** Compares the clocks: once when the database was opened, and then once a minute. */
export async function watchClock({ embedded, tx }: ClockDatabase): Promise<void> {
  if (!isMeasuring()) return
  if (embedded === null) await measureClock(tx)
  else noticeJump()
}

/**
 * Measures the clock when the last measurement no longer counts: the wall clock has jumped, or the machine was asleep. Returns null in all
 * other cases, which costs nothing. Waits two seconds at most, and throws nothing: without the database, nothing is decided anyway.
 */
export function settleClock(opened: () => ClockDatabase): Promise<void> | null {
  if (!isClockInDoubt()) return null
  const state = watch()
  if (performance.now() - state.failedAt < failedPauseMs) return null
  state.settling ??= withTimeout(settlingSeconds, watchClock(opened()))
    .catch((error: unknown) => {
      state.failedAt = performance.now()
      log().warn(
        { error: describeError(error) },
        'The clock of the database could not be measured. This instance goes on from the last measurement and tries again. Check the database.',
      )
    })
    .finally(() => {
      state.settling = null
    })
  return state.settling
}

/**
 * Returns whether work that ends something by time may run: not while the clock is in doubt. A test service always may: it runs on laptops, which
 * sleep, and a test that moves the clock expects that work at once.
 */
export function mayEndWork({ embedded }: Pick<ClockDatabase, 'embedded'>): boolean {
  if (!isMeasuring() || isTestService()) return true
  if (embedded !== null) noticeJump()
  const state = watch()
  return !isClockInDoubt() && !state.hasDisagreed && performance.now() >= state.waitsUntil
}

/** Returns the time after `settleClock`. */
export async function measuredTime(opened: () => ClockDatabase): Promise<Date> {
  await settleClock(opened)
  return readClock()
}
