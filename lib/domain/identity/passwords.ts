/**
 * Passwords, for the sign-up shape that has one (contract B): argon2id, 12–128 characters, none that is commonly used.
 */
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { z } from 'zod'
import { singleton } from '@/lib/kernel/singleton'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const commonPasswords = () =>
  singleton('passwords.common', () => new Set<string>(dictionary['passwords-common'].map(String)))

/** Runs of keys as fingers find them, each also read backwards. */
const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]asdfghjkl;zxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopü+asdfghjklöäyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
].flatMap((run) => [run, [...run].reverse().join('')])

const lookAlikes: Record<string, string> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
}

/** The password as people make another of it: without what is added at its end, in letters, and the half of a doubled one. */
function variantsOf(password: string): string[] {
  const stem = password.replace(/[\d!@#$%^&*._-]+$/, '')
  const letters = stem.replace(/[@013457$]/g, (sign) => lookAlikes[sign] ?? sign)
  return [password, stem, letters].flatMap((text) => {
    const half = text.slice(0, text.length / 2)
    return text === half + half ? [text, half] : [text]
  })
}

/** Whether it is on the list of common passwords or easily made from one of them, or is a run of keys or of few signs. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  if (variantsOf(plain).some((text) => commonPasswords().has(text))) return true
  return new Set(plain).size <= 3 || runs.some((run) => run.includes(plain))
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
  const decoy = await singleton('passwords.decoy', () => hash('no account has this one', cost))
  return (await verify(passwordHash ?? decoy, password)) && passwordHash !== null
}
