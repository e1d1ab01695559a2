/**
 * The key that names this service to the push services of browsers (VAPID, RFC 8292). Browsers accept messages for a subscription only from
 * the key with which it was made, so the key is never changed. It is in the database, encrypted with `BEAK_SECRET`, and so in every backup.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { db } from '@/lib/db/client'
import { readClock } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'

export interface PushKey {
  privateKey: KeyObject
  /** The point of the public key, uncompressed, as base64url: what `pushManager.subscribe` takes. */
  publicKey: string
}

const id = 'push'
const holder = () => singleton('push-key', () => ({ key: null as PushKey | null }))

/** Returns the 65 bytes of a public key on P-256: an uncompressed point. */
export function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** Makes the key unless another instance has made it at the same time. */
async function makeKey(): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const sealed = new Uint8Array(seal(privateKey.export({ format: 'der', type: 'pkcs8' }), id))
  await db().run`
    INSERT INTO "PushKey" ("id", "sealed", "createdAt") VALUES (${id}, ${sealed}, ${readClock()}::timestamptz)
    ON CONFLICT ("id") DO NOTHING`
}

/** Loads the key on the first call, and makes it at the first start. All instances share it. Await it before the process serves. */
export async function preparePushKey(): Promise<void> {
  const current = holder()
  if (current.key !== null) return
  const read = () => db().pushKey.findUnique({ where: { id } })
  const row = (await read()) ?? (await makeKey().then(read))
  if (row === null) throw new Error('the key for push messages was not stored')
  const privateKey = createPrivateKey({ key: unseal(row.sealed, id), format: 'der', type: 'pkcs8' })
  current.key = { privateKey, publicKey: pointOf(createPublicKey(privateKey)).toString('base64url') }
}

export const hasPushKey = (): boolean => holder().key !== null

export function pushKey(): PushKey {
  const { key } = holder()
  if (key === null) throw new Error('preparePushKey() was not awaited')
  return key
}
