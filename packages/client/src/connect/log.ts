/** The log of judged calls on this computer: one JSON object a line. It has no secrets, because the params are masked before. */
import { appendFile, readFile, rename, stat } from 'node:fs/promises'
import type { Layout } from './layout'

export interface LogEntry {
  /** ISO 8601, UTC. */
  at: string
  tool: string
  /** `watched`: would have been asked. `outage`: the terminal was asked, because the service did not answer. */
  kind: 'watched' | 'outage'
  action: string
  /** The command line or the path. */
  what: string
  reasons: string[]
  folder: string
}

/** A log that is longer is kept once more under another name. In bytes. */
const longest = 4_000_000

/** Adds an entry. A log that cannot be written must not stop the work. */
export async function addEntry({ log }: Layout, entry: Omit<LogEntry, 'at'>): Promise<void> {
  try {
    const size = await stat(log).then(
      (stats) => stats.size,
      () => 0,
    )
    if (size > longest) await rename(log, `${log}.1`)
    await appendFile(log, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`, { mode: 0o600 })
  } catch {}
}

/** Returns the entries, oldest first. Lines that are not whole are left out: a process may have been killed while it wrote. */
export async function readEntries({ log }: Layout): Promise<LogEntry[]> {
  const texts = await Promise.all([`${log}.1`, log].map((path) => readFile(path, 'utf8').catch(() => '')))
  return texts
    .join('')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as LogEntry]
      } catch {
        return []
      }
    })
}
