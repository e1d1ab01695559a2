/** Reads the development outbox that `send.ts` writes: one JSON file a message in `DATA_DIR/outbox`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { config } from '@/lib/kernel/config'

const Kept = z.object({
  kind: z.string(),
  to: z.string(),
  /** Null for an SMS. */
  subject: z.string().nullable(),
  text: z.string(),
  created_at: z.iso.datetime(),
})

export type KeptMessage = z.infer<typeof Kept> & { name: string }

/** The newest `limit` messages, newest first. None where there is no outbox yet. */
export async function readOutbox(limit: number): Promise<KeptMessage[]> {
  const folder = join(/* turbopackIgnore: true */ config().dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  // Names begin with the instant, so their order is the messages'.
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit)
  return Promise.all(
    newest.map(async (name) => ({
      ...Kept.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))),
      name,
    })),
  )
}
