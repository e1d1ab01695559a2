/** Reads the development outbox that `send.ts` writes: one JSON file per message in `DATA_DIR/outbox`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { config } from '@/lib/kernel/config'

const Stored = z.object({
  kind: z.string(),
  to: z.string(),
  /** Null for an SMS. */
  subject: z.string().nullable(),
  text: z.string(),
  /** Null for an SMS. Messages of earlier versions have none. */
  html: z.string().nullable().default(null),
  created_at: z.iso.datetime(),
})

export type StoredMessage = z.infer<typeof Stored> & { name: string }

/** Returns the newest `limit` messages, newest first. Returns none when the outbox does not exist yet. */
export async function readOutbox(limit: number): Promise<StoredMessage[]> {
  const folder = join(/* turbopackIgnore: true */ config().dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  // Names begin with the time, so they sort like the messages.
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit)
  return Promise.all(
    newest.map(async (name) => ({
      ...Stored.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))),
      name,
    })),
  )
}
