/** Passwords of accounts that signed up with one (contract B): argon2id, 12–128 characters, no commonly used ones. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { singleton } from '@/lib/kernel/singleton'
import { withLetters } from '@/lib/kernel/text/digits-for-letters'

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Loaded with the first password, because the package takes 12 MiB. */
function loadDictionary() {
  const require = createRequire(join(/* turbopackIgnore: true */ process.cwd(), 'package.json'))
  return (require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')).dictionary
}

const commonPasswords = () =>
  singleton('passwords.common', () => new Set<string>(loadDictionary()['passwords-common'].map(String)))

/** Digits, the alphabet and keyboard rows, forwards and backwards. */
const keyRuns = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]asdfghjkl;zxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopü+asdfghjklöäyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
].flatMap((run) => [run, [...run].reverse().join('')])

/**
 * Returns simpler forms of a password: without digits and signs at its end, with look-alike characters as letters, and half of a
 * password that repeats itself.
 */
function variantsOf(password: string): string[] {
  const stem = password.replace(/[\d!@#$%^&*._-]+$/, '')
  const letters = withLetters(stem)
  return [password, stem, letters].flatMap((text) => {
    const half = text.slice(0, text.length / 2)
    return text === half + half ? [text, half] : [text]
  })
}

/** Whether a password or a simpler form of it is on the list of common passwords, or it is a run of keys, or has few characters. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  if (variantsOf(plain).some((text) => commonPasswords().has(text))) return true
  return new Set(plain).size <= 3 || keyRuns.some((run) => run.includes(plain))
}

export const newPassword = z
  .string()
  .min(12, { error: m.field_must_have_at_least_12_characters, abort: true })
  .max(128, { error: m.field_must_have_at_most_128_characters, abort: true })
  .refine((password) => !isCommon(password), { error: m.field_is_commonly_used_choose_another_one })

/** Returns the argon2id hash of a password as a PHC string. Takes about 30 ms on a separate thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether the password matches the hash. Takes the same time without a hash, and then returns false. */
export async function matchesPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const decoy = await singleton('passwords.decoy', () => hash('no account has this one', cost))
  return (await verify(passwordHash ?? decoy, password)) && passwordHash !== null
}
