/** The file of `--remember`: the newest checkpoints of logs, as the signed notes themselves. */
import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import type { CheckpointFork, CheckpointStore, RememberedCheckpoint } from '@beak/proofs/log/checkpoint-store'
import { parseNote } from '@beak/proofs/log/note'
import { toRemember } from '@beak/proofs/log/remember'
import { usageFault } from './exit'
import { replaceFile } from './files'

/** What is remembered of one log. */
interface Remembered {
  proven: RememberedCheckpoint | null
  seen: RememberedCheckpoint | null
  fork: Omit<CheckpointFork, 'origin'> | null
}

const lockWaitMs = 10_000
const lockStepMs = 20

/**
 * Returns a store in a file, which does not have to exist yet. Only the user can read the file. A crash leaves the old file, and commands
 * that run at the same time wait for each other.
 */
export function fileCheckpoints(path: string): CheckpointStore {
  const change = (origin: string, edit: (log: Remembered) => Partial<Remembered> | null) =>
    locked(path, async () => {
      const logs = await readLogs(path)
      const log = logs.get(origin) ?? { proven: null, seen: null, fork: null }
      const edited = edit(log)
      if (edited === null) return
      logs.set(origin, { ...log, ...edited })
      await replaceFile(path, textOf(logs))
    })
  return {
    async get(origin) {
      const { proven = null, seen = null } = (await readLogs(path)).get(origin) ?? {}
      return [proven, seen].filter((one) => one !== null)
    },
    keep(checkpoint) {
      const place = checkpoint.isProven ? 'proven' : 'seen'
      return change(checkpoint.origin, (log) =>
        checkpoint.size > (log[place]?.size ?? -1) ? { [place]: checkpoint } : null,
      )
    },
    keepFork: ({ origin, remembered, found }) =>
      change(origin, ({ fork }) => (fork === null ? { fork: { remembered, found } } : null)),
  }
}

function textOf(logs: Map<string, Remembered>): string {
  const noteOf = (checkpoint: RememberedCheckpoint | null) => checkpoint?.note ?? null
  const entries = [...logs].map(([origin, { proven, seen, fork }]) => [
    origin,
    { proven: noteOf(proven), seen: noteOf(seen), fork },
  ])
  return `${JSON.stringify({ version: 1, logs: Object.fromEntries(entries) }, null, 2)}\n`
}

/** Reads the file. The file was not made by this command when any part of it cannot be read: then nothing is compared and nothing lost. */
async function readLogs(path: string): Promise<Map<string, Remembered>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw usageFault(`${path} cannot be read: ${error.message}`)
  })
  if (text === null) return new Map()
  try {
    const { version, logs } = JSON.parse(text) as { version: unknown; logs: Record<string, object> }
    if (version !== 1) throw new Error('Another version.')
    return new Map(Object.entries(logs).map(([origin, log]) => [origin, readLog(origin, log)]))
  } catch {
    throw usageFault(
      `${path} is not a file of --remember, or it is damaged.`,
      'Name another file, or restore this one from a backup. A new file remembers nothing.',
    )
  }
}

function readLog(origin: string, log: { proven?: unknown; seen?: unknown; fork?: unknown }): Remembered {
  const { remembered, found } = (log.fork ?? { remembered: '', found: '' }) as Record<string, unknown>
  if (typeof remembered !== 'string' || typeof found !== 'string') throw new Error('Not a fork.')
  return {
    proven: checkpointIn(log.proven, origin, true),
    seen: checkpointIn(log.seen, origin, false),
    fork: log.fork === null || log.fork === undefined ? null : { remembered, found },
  }
}

/** Reads a note. Its signatures were checked before it was stored, perhaps with a key that is no longer in use. */
function checkpointIn(note: unknown, origin: string, isProven: boolean): RememberedCheckpoint | null {
  if (note === null) return null
  const parsed = typeof note === 'string' ? parseNote(note) : null
  const checkpoint = parsed && parseCheckpoint(parsed.text)
  if (typeof note !== 'string' || !checkpoint || checkpoint.origin !== origin)
    throw new Error('Not a checkpoint.')
  return toRemember(checkpoint, note, isProven)
}

/** Runs the work while no other command does. */
async function locked(path: string, work: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`
  for (const end = Date.now() + lockWaitMs; ; await wait(lockStepMs)) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      break
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw usageFault(`${path} cannot be written: ${message}`)
      if (Date.now() > end)
        throw usageFault(`Another command uses ${path}.`, `When none is running, delete ${lock}.`)
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}
