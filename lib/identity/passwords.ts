/**
 * Passwords, for the sign-up shape that has one (contract B): argon2id, 12–128 characters, none that is commonly used.
 */
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { z } from 'zod'
import { once } from '@/lib/kernel/global'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const commonPasswords = () =>
  once('passwords.common', () => new Set<string>(dictionary['passwords-common'].map(String)))

/** Whether it is on the list of common passwords, or is one with a run of digits or itself once more at its end. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  const stem = plain.replace(/[\d!@#$%^&*._-]+$/, '')
  const half = plain.slice(0, Math.ceil(plain.length / 2))
  if (commonPasswords().has(plain) || commonPasswords().has(stem)) return true
  if (plain === half + half && commonPasswords().has(half)) return true
  return (
    new Set(plain).size <= 3 ||
    '01234567890123456789'.includes(plain) ||
    '98765432109876543210'.includes(plain)
  )
}

export const newPassword = z
  .string()
  .min(12, { error: 'must have at least 12 characters', abort: true })
  .max(128, { error: 'must have at most 128 characters', abort: true })
  .refine((password) => !isCommon(password), 'is commonly used; choose another one')

/** The argon2id hash of a password, in PHC string form. Takes some 30 ms on a thread of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether the password is the one; without a hash it takes as long and says no. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const decoy = await once('passwords.decoy', () => hash('no account has this one', cost))
  return (await verify(passwordHash ?? decoy, password)) && passwordHash !== null
}
