/** Compares the database with the mark outside of it: at the start, and once a minute (contract E, An older database). */
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { operatorCommand } from '@/lib/kernel/release'
import { singleton } from '@/lib/kernel/singleton'
import { StartProblem } from '@/lib/kernel/start-problem'
import { isTestService } from '@/lib/kernel/test-service'
import { duration } from '@/lib/kernel/text/duration'
import { endGap } from './end-gap'
import {
  findGap,
  findMarkPath,
  findNewest,
  findNewestTime,
  type Gap,
  hasMarkFolder,
  isShort,
  readMark,
  type Seen,
  withNewest,
  writeMark,
} from './newest-event'

const state = () => singleton('newest-event', () => ({ seen: null as Seen[] | null, canWrite: true }))

/** Returns what is wrong with a database that is older than its mark, and what to do. */
export async function describeGap({ from, until }: Gap, path: string): Promise<string> {
  const since = (from ?? (await findNewestTime()) ?? until).toISOString()
  return `The database is older than it was: ${path} names the newest event that this instance has seen, and the database lacks what happened between ${since} and ${until.toISOString()}. Permissions that were used or revoked since could be used again. If the database was put back from a copy, stop every instance, run \`${operatorCommand(`restored --as-of ${since} --yes`)}\`, which ends what is too old, and start again. If this is the wrong copy, put the right one back.`
}

/** Ends what may have been used in a short gap. Throws `StartProblem` for a longer one. */
async function settle(gap: Gap, path: string, now: Date): Promise<void> {
  const { from, until } = gap
  if (from === null || !isShort(gap)) throw new StartProblem(await describeGap(gap, path))
  const ended = await endGap(until, now)
  log().warn(
    { from, until, ended },
    `The database lacks what happened in ${duration(Math.max(1, Math.round((until.getTime() - from.getTime()) / 1000)))}, as after a power cut or a failover. Permissions that could have been used or revoked in that time were ended. Everything else of that time is lost.`,
  )
}

/** Adds the newest event to the mark. A folder that cannot be written is said once. */
async function note(path: string, now: Date): Promise<void> {
  const held = state()
  const newest = await findNewest(now)
  if (newest === null) return
  const seen = held.seen ?? []
  const isNews = seen[0]?.id !== newest.id
  held.seen = withNewest(seen, newest)
  if (!isNews || !hasMarkFolder()) return
  try {
    await writeMark(path, held.seen)
    held.canWrite = true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process of this folder writes the same mark at this moment.
    if (code === 'EEXIST' || code === 'ENOENT') return
    if (held.canWrite)
      log().warn(
        `${path} cannot be written (${code}), so the next start cannot find out whether the database was put back from an older copy. Let the user of this process write to ${config().dataDir}.`,
      )
    held.canWrite = false
  }
}

/** Compares the database with what was seen, and adds the newest event. Throws `StartProblem` when a gap is too long. */
async function compare(path: string, now: Date): Promise<void> {
  const held = state()
  held.seen ??= (await readMark(path)) ?? []
  const gap = await findGap(held.seen)
  if (gap !== null) {
    await settle(gap, path, now)
    held.seen = []
  }
  await note(path, now)
}

/**
 * Compares the database with the mark of this instance, before the instance serves. After a short gap it ends the permissions that could have
 * been used meanwhile. Throws `StartProblem` when the database is older by five minutes or more.
 */
export async function requireNewestEvent(now: Date): Promise<void> {
  const path = isTestService() ? null : await findMarkPath()
  if (path === null) return
  await compare(path, now)
}

/** Does the same once a minute, for a database that fails over to an older one. `stop` ends the instance when the gap is too long. */
export async function watchNewestEvent(
  now: Date,
  stop = (): void => void process.kill(process.pid, 'SIGTERM'),
): Promise<void> {
  const path = isTestService() ? null : await findMarkPath()
  if (path === null) return
  try {
    await compare(path, now)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    log().error(error.message)
    stop()
  }
}
