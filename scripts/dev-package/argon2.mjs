/** The part of `@node-rs/argon2` that the service uses, without native code: argon2id with the same PHC strings. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { argon2idAsync } from '@noble/hashes/argon2.js'

const base64 = (bytes) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

const compute = (password, salt, { memoryCost: m, timeCost: t, parallelism: p }) =>
  argon2idAsync(password, salt, { m, t, p, dkLen: 32 })

/** Returns the hash of a password as a PHC string. */
export async function hash(password, cost) {
  const salt = randomBytes(16)
  const { memoryCost, timeCost, parallelism } = cost
  const digest = await compute(password, salt, cost)
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(salt)}$${base64(digest)}`
}

/** Whether a password has this hash. */
export async function verify(phc, password) {
  const [m, t, p, salt = '', digest = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)?.slice(1) ?? []
  const cost = { memoryCost: Number(m), timeCost: Number(t), parallelism: Number(p) }
  const found = await compute(password, Buffer.from(salt, 'base64'), cost)
  const expected = Buffer.from(digest, 'base64')
  return expected.length === found.length && timingSafeEqual(expected, found)
}
