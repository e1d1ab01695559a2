/** The clock of this machine compared with the clock of the database, which all instances share. */
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import { duration } from '@/lib/kernel/text/duration'
import { db } from './client'

/** The statement and its answer take time, and times of less than that matter to nothing that is signed. */
const toleratedSeconds = 5

/** Returns what is wrong with the clock of this machine and what to do, or null. `skew`: seconds that it is behind. */
export function clockWarning(skew: number): string | null {
  const seconds = Math.round(Math.abs(skew))
  if (seconds <= toleratedSeconds) return null
  return `The clock of this machine is ${duration(seconds)} ${skew > 0 ? 'behind' : 'ahead of'} the clock of the database. Set it with NTP: codes, permissions and signatures have times.`
}

/** Returns how many seconds the clock of this machine is behind the clock of the database. Negative when it is ahead. */
export async function clockSkew(): Promise<number> {
  const before = readClock().getTime()
  const [row] = await db().rows<{ time: Date }>`SELECT clock_timestamp() AS "time"`
  const after = readClock().getTime()
  const time = row?.time.getTime() ?? after
  // A slow answer says nothing: the time of the database lies anywhere between the two.
  return time < before ? (time - before) / 1000 : time > after ? (time - after) / 1000 : 0
}

const state = () => singleton('clock.skew', () => ({ isWrong: false }))

/** Warns once when the clock begins to be wrong, and says once when it is right again. The embedded database has the same clock. */
export async function watchClock(): Promise<void> {
  if (config().databaseUrl === null) return
  const warning = clockWarning(await clockSkew())
  const known = state()
  if (warning !== null && !known.isWrong) log().warn(warning)
  if (warning === null && known.isWrong) log().warn('The clock of this machine is right again.')
  known.isWrong = warning !== null
}
