/**
 * The key of the marks in the transparency log (docs/audit/format.md). It is in the database, encrypted with `BEAK_SECRET`, and so in every
 * backup: a restored service recognises the marks of its own log, also when its secret has changed since.
 */
import { createHmac } from 'node:crypto'
import { db } from '@/lib/db/client'
import { readClock } from '@/lib/kernel/clock'
import { randomBytes } from '@/lib/kernel/random'
import { seal, unseal } from '@/lib/kernel/secrets'
import { singleton } from '@/lib/kernel/singleton'

const id = 'marks'
const holder = () => singleton('mark-key', () => ({ key: null as Buffer | null }))

/** Makes the key unless another instance has made it at the same time. */
async function makeKey(): Promise<void> {
  const sealed = new Uint8Array(seal(randomBytes(32), id))
  await db().run`
    INSERT INTO "LogMarkKey" ("id", "sealed", "createdAt") VALUES (${id}, ${sealed}, ${readClock()}::timestamptz)
    ON CONFLICT ("id") DO NOTHING`
}

/** Loads the key on the first call, and makes it at the first start. All instances share it. Await it before the process serves. */
export async function prepareMarkKey(): Promise<void> {
  const held = holder()
  if (held.key !== null) return
  const read = () => db().logMarkKey.findUnique({ where: { id } })
  const row = (await read()) ?? (await makeKey().then(read))
  if (row === null) throw new Error('the key of the marks was not stored')
  held.key = unseal(row.sealed, id)
}

export const hasMarkKey = (): boolean => holder().key !== null

/** Returns the HMAC-SHA-256 of a text, in hex. */
export function markOf(text: string): string {
  const { key } = holder()
  if (key === null) throw new Error('prepareMarkKey() was not awaited')
  return createHmac('sha256', key).update(text).digest('hex')
}
