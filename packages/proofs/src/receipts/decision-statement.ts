/**
 * The statement of a decision (receipts, versions 2 and 3) and its salted hashes, for servers and for browsers that verify a receipt. See
 * docs/receipts/format.md.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import * as z from 'zod'
import { base64url, bytesOfText } from '../bytes'
import { canonicalText } from '../canonical'

/** A state of the transparency log: the root, in base64, of its first `size` entries. */
const LogTree = z.strictObject({
  origin: z.string().max(300),
  size: z.int().min(0),
  root: z.string().max(44),
})

/** At most this many params: `{"a":0,…}` has no more in the 4 KiB that the service accepts. */
const paramsMax = 1024

/** A SHA-256 in base64url. */
export const Digest = z.string().regex(/^[\w-]{43}$/)
/** The last second of the year 9999, which every language can count to. */
export const secondsMax = 253_402_300_799
/** ISO 8601 in UTC with milliseconds, in the years from 1 to 9999. Comparisons with a time that is no date would all be false. */
export const Instant = z.string().refine(isInstant, 'must be a date').meta({ format: 'date-time' })

/** Tells whether a text is a time as JavaScript writes it. The 30th of February is not. */
function isInstant(text: string): boolean {
  const time = Date.parse(text)
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** What both versions have. */
const facts = {
  type: z.literal('beak.peck.decision'),
  /** Null when nobody decided. */
  decision: z.enum(['approve', 'reject']).nullable(),
  issuer: z.string().max(300),
  audience: z.string().max(300).nullable(),
  nonce: z.string().max(64),
  peck_id: z.string().max(64),
  action: z.string().max(200),
  scope: z.enum(['limited', 'timed', 'standing']),
  /** One salted hash for each param, sorted. */
  params: z.array(Digest).max(paramsMax),
  requester: z.strictObject({ duckling_id: z.string().max(64), agent_id: z.string().max(64).nullable() }),
  target_duckling_id: z.string().max(64),
  created_at: Instant,
  /** Until when the peck can be decided. */
  expires_at: Instant,
  /** Lifetime of the grant in seconds after the approval. Null: until it is revoked. */
  grant_seconds: z.int().min(0).max(secondsMax).nullable(),
  /** The version of the sentences, and the salted hash of what the page displayed. */
  display: z.strictObject({ version: z.int().min(0), hash: Digest }),
  /** The newest state of the transparency log when the passkey was asked to sign. Null without a passkey. */
  log: LogTree.nullable(),
}

export const DecisionStatement2 = z.strictObject({ ...facts, version: z.literal(2) })
export type DecisionStatement2 = z.infer<typeof DecisionStatement2>

/** A challenge of the service that will act: at most 64 visible characters of ASCII. */
export const ShopChallenge = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 visible ASCII characters')
/** Six digits, which the service that will act shows to the person. */
const ShopCode = z.string().regex(/^\d{6}$/, 'must be six digits')

/** Scheme, host name and perhaps port of a web address, and nothing else. Passkeys know no numeric addresses. */
function isOrigin(text: string): boolean {
  const form = /^https?:\/\/([a-z0-9_-]+\.)*[a-z][a-z0-9_-]*(:[1-9]\d{0,4})?$/
  return form.test(text) && URL.canParse(text) && new URL(text).origin === text
}

export const DecisionStatement3 = z.strictObject({
  ...facts,
  version: z.literal(3),
  /** Who decided: the person, or a rule that the person signed (docs/rules.md). Null when nobody did. */
  decided_by: z
    .union([
      z.strictObject({ type: z.literal('person') }),
      z.strictObject({ type: z.literal('rule'), rule_id: z.string().max(64) }),
    ])
    .nullable(),
  /** The challenge that the asker sent with the request. */
  challenge: ShopChallenge.nullable(),
  /** `hash`: salted hash of the code that the service showed. `typed`: what the person typed. Null unless the person approved. */
  code: z.strictObject({ hash: Digest, typed: ShopCode.nullable() }).nullable(),
  /** Origin of the approver on which the passkey signed. Null: a page of the issuer. */
  approver: z.string().max(300).refine(isOrigin, 'must be an origin').nullable(),
  /** Whether somebody decided who exists only for tests. */
  test: z.boolean(),
})
export type DecisionStatement3 = z.infer<typeof DecisionStatement3>

export const DecisionStatement = z.discriminatedUnion('version', [DecisionStatement2, DecisionStatement3])
export type DecisionStatement = z.infer<typeof DecisionStatement>

/** Returns the id of the rule that decided, or null when a person decided or nobody. */
export function ruleIdIn(statement: DecisionStatement): string | null {
  const decider = statement.version === 3 ? statement.decided_by : null
  return decider?.type === 'rule' ? decider.rule_id : null
}

/** Returns the SHA-256, in base64url, of the canonical JSON (RFC 8785) of a value. Throws for a value that is not JSON. */
export function digestOf(value: unknown): string {
  return base64url(sha256(bytesOfText(canonicalText(value))))
}

/** Returns the hash of a param in a statement. Without the salt, nobody can find the value by trying values. */
export function paramDigest(salt: string, name: string, value: unknown): string {
  return digestOf([salt, name, value])
}

/** Returns the hash in a statement of what the page displayed. */
export function displayDigest(salt: string, shown: unknown): string {
  return digestOf([salt, shown])
}

/** Returns the hash in a request of the code that a service shows. Whoever does not know the salt cannot find the code by trying all. */
export function codeDigest(salt: string, code: string): string {
  return digestOf([salt, code])
}
