/**
 * Encrypts a message for one browser (RFC 8291, content coding aes128gcm of RFC 8188). The push service that delivers it cannot read it. The
 * test has the vectors of RFC 8291, appendix A.
 */
import { createCipheriv, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'
import { pointOf } from '@/lib/infrastructure/keys/push-key'
import { randomBytes } from '@/lib/kernel/random'
import { type PushSubscription, readPoint } from './subscription'

/** Push services take bodies of 4096 bytes: header, plaintext, one byte that ends it, and the tag. */
const recordSize = 4096
const headerSize = 16 + 4 + 1 + 65
export const plainBytesMax = recordSize - headerSize - 1 - 16

interface Sender {
  privateKey: KeyObject
  publicKey: KeyObject
  salt: Uint8Array
}

const newSender = (): Sender => ({
  ...generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  salt: randomBytes(16),
})

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** Returns the key and the nonce that both sides derive. `shared` is the result of ECDH. */
function contentKeys(
  shared: Uint8Array,
  auth: Uint8Array,
  receiver: Uint8Array,
  sender: Uint8Array,
  salt: Uint8Array,
): { key: Buffer; nonce: Buffer } {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const secret = derive(shared, auth, info, 32)
  return {
    key: derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    nonce: derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  }
}

/** Returns the body of the request to the push service. Throws when the text has more than `plainBytesMax` bytes. */
export function encryptFor({ keys }: PushSubscription, text: string, sender = newSender()): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > plainBytesMax) throw new Error(`a push message has ${plain.length} bytes`)
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const shared = diffieHellman({ privateKey: sender.privateKey, publicKey: readPoint(receiver) })
  const point = pointOf(sender.publicKey)
  const { key, nonce } = contentKeys(
    shared,
    Buffer.from(keys.auth, 'base64url'),
    receiver,
    point,
    sender.salt,
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 ends the last record. There is no padding.
  const body = [cipher.update(plain), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([sender.salt, size, Buffer.of(point.length), point, ...body])
}
