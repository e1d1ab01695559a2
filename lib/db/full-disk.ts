/** Whether the disk of the database is full: then reads work, and every change answers 503. */
import { config } from '@/lib/kernel/config'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'

/** A PostgreSQL server says so with each write that fails. A worker writes at least once a minute. */
const countsForMs = 70_000

const state = () => singleton('disk', () => ({ fullUntil: 0, isReported: false }))

/** Returns whether the disk is full, and says it in the log, once when it begins and once when it ends. */
export function isDiskFull(): boolean {
  const current = state()
  const isFull = performance.now() < current.fullUntil
  if (isFull !== current.isReported) {
    current.isReported = isFull
    if (isFull) log().error(`Disk full: ${place()} Every change answers 503 until there is space.`)
    else log().warn('The disk of the database has space again.')
  }
  return isFull
}

function place(): string {
  const { databaseUrl, dataDir } = config()
  return databaseUrl === null
    ? `the disk of ${dataDir} has less than 64 MB left, so the database takes no writes. Free some space there.`
    : 'the disk of the PostgreSQL server has no space left. Free some space there.'
}

/** Notes that the embedded database has stopped taking writes, or takes them again. */
export function noteReadOnly(isReadOnly: boolean): void {
  state().fullUntil = isReadOnly ? Number.POSITIVE_INFINITY : 0
  isDiskFull()
}

/** The SQLSTATEs of a write without space: disk_full, and read_only_sql_transaction of the embedded database. */
const diskFull = '53100'
const readOnly = '25006'

/** Tells whether a statement failed because the disk is full. */
export function isFullDiskError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === diskFull || (code === readOnly && performance.now() < state().fullUntil)
}

/** Notes an error of the PostgreSQL server, when it is about the disk. */
export function noteDiskError(error: unknown): void {
  if ((error as { code?: unknown }).code !== diskFull) return
  const current = state()
  current.fullUntil = Math.max(current.fullUntil, performance.now() + countsForMs)
  isDiskFull()
}

/** Returns an unexpected error for the log. That of a full disk says so, and has no stack: each change of that time fails in the same way. */
export function describeFailure(error: unknown): Record<string, unknown> {
  return isFullDiskError(error) ? { message: 'disk full' } : describeError(error)
}
