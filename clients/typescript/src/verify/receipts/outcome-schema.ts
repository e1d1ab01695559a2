/** The schema of a receipt of version 2: statement, outcome, the signatures of service and passkey, and the values. */
import * as z from 'zod'
import { DecisionStatement, Digest, Instant, secondsMax } from './decision-statement'
import { outcomes } from './outcome'
import { ReceiptFile } from './schema'

/** The longest text that a valid receipt has: a note with the signatures of many witnesses. */
const text = z.string().max(128 * 1024)

/** The passkey's signature. `statement_v1` is what the passkey signed when that was a statement of version 1. */
export const DecisionProof = z.strictObject({
  credential_id: z.string().max(1400),
  public_key: z.string().max(4096),
  assertion: z.strictObject({
    authenticatorData: z.string().max(8192),
    clientDataJSON: z.string().max(16_384),
    signature: z.string().max(4096),
  }),
  statement_v1: z.string().max(4096).optional(),
})
export type DecisionProof = z.infer<typeof DecisionProof>

/** The proof that the log had the passkey: the place of its entry in the tree of the statement, and the signed checkpoint of that tree. */
export const Enrolment = z.strictObject({
  index: z.int().min(0),
  /** Hashes in base64, from the leaf up. */
  inclusion: z.array(z.string().max(44)).max(64),
  checkpoint: text,
  /** The log's verifier keys, which prove nothing by themselves. */
  vkeys: z.array(z.string().max(600)).max(20),
})
export type Enrolment = z.infer<typeof Enrolment>

const salt = z.string().max(64)
/** Any JSON value. Zod takes a missing member for undefined. */
const json = z.unknown().refine((value): boolean => value !== undefined, 'is missing')

/** The values behind the salted hashes. Each can be left out, and the receipt is still valid. */
export const ReceiptValues = z.strictObject({
  params: z.array(z.strictObject({ salt, name: z.string(), value: json })).max(1024),
  display: z.strictObject({ salt, shown: json }).optional(),
})
export type ReceiptValues = z.infer<typeof ReceiptValues>

/** What the page displayed, as far as every version of it has this form. */
export const Shown = z.looseObject({
  version: z.int().min(0),
  /** Begins after "wants to". */
  sentence: z.string(),
  values: z.array(z.looseObject({ name: z.string(), type: z.string(), text: z.string() })).max(1024),
  /** The message of the asker. */
  message: z.string().nullable(),
})
export type Shown = z.infer<typeof Shown>

/** A receipt of version 2 in a file. */
export const OutcomeFile = z.strictObject({
  version: z.literal(2),
  peck_id: z.string(),
  outcome: z.enum(outcomes),
  statement: DecisionStatement,
  statement_text: text,
  jws: text,
  passkey: DecisionProof.nullable(),
  enrolment: Enrolment.nullable(),
  values: ReceiptValues.optional(),
  jwks: ReceiptFile.shape.jwks,
})
export type OutcomeFile = z.infer<typeof OutcomeFile>

/** What the service signs. Every digest is a SHA-256 in base64url. */
export const OutcomeClaims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  iat: z.int().min(0).max(secondsMax),
  version: z.literal(2),
  outcome: z.enum(outcomes),
  /** When the target approved or rejected. */
  decided_at: Instant.nullable(),
  /** When the request or its permission ended: expired, cancelled, revoked or used up. */
  ended_at: Instant.nullable(),
  uses: z.int().min(0),
  last_used_at: Instant.nullable(),
  grant_expires_at: Instant.nullable(),
  /** Digest of the statement. */
  statement: Digest,
  /** Digest of the passkey's proof. */
  passkey: Digest.nullable(),
  /** Digest of the proof of the enrolment. */
  enrolment: Digest.nullable(),
})
export type OutcomeClaims = z.infer<typeof OutcomeClaims>
