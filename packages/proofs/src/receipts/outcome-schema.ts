/** The schemas of receipts of versions 2 and 3: statement, outcome, the signatures of service and passkey, and the values. */
import * as z from 'zod'
import { RuleSpent } from '../rules/rule'
import { DecisionStatement2, DecisionStatement3, Digest, Instant, secondsMax } from './decision-statement'
import { outcomes } from './outcome'
import { ReceiptFile } from './schema'

/** The longest text that a valid receipt has: a note with the signatures of many witnesses. */
const text = z.string().max(128 * 1024)

const signature = {
  credential_id: z.string().max(1400),
  public_key: z.string().max(4096),
  assertion: z.strictObject({
    authenticatorData: z.string().max(8192),
    clientDataJSON: z.string().max(16_384),
    signature: z.string().max(4096),
  }),
}

/** The passkey's signature. `statement_v1` is what the passkey signed when that was a statement of version 1. */
export const DecisionProof2 = z.strictObject({ ...signature, statement_v1: z.string().max(4096).optional() })
export type DecisionProof2 = z.infer<typeof DecisionProof2>

/** An older passkey of the same person signed that a newer one is theirs, too. */
export const Endorsement = z.strictObject({
  ...signature,
  /** Canonical JSON of an `EndorsementStatement`. */
  statement_text: z.string().max(8192),
})
export type Endorsement = z.infer<typeof Endorsement>

/** The passkey's signature, and how older passkeys of the person lead to it: each endorses the one before, the first one this one. */
export const DecisionProof3 = z.strictObject({
  ...signature,
  endorsements: z.array(Endorsement).max(20),
})
export type DecisionProof3 = z.infer<typeof DecisionProof3>

/** The passkey's signature in any version. */
export type DecisionProof = DecisionProof2 | DecisionProof3

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

/** The place of an entry in the log, and a signed checkpoint of a state that has it. */
const LoggedEntry = z.strictObject({
  index: z.int().min(0),
  /** Hashes in base64, from the leaf up. */
  inclusion: z.array(z.string().max(44)).max(64),
  checkpoint: text,
})
export type LoggedEntry = z.infer<typeof LoggedEntry>

/** What the log has about the receipt: the decision, and the newest use or the revocation, as far as they are in it. */
export const Logged = z.strictObject({
  decided: LoggedEntry,
  used: LoggedEntry.nullable(),
  revoked: LoggedEntry.nullable(),
  /** The log's verifier keys, which prove nothing by themselves. */
  vkeys: z.array(z.string().max(600)).max(20),
})
export type Logged = z.infer<typeof Logged>

/** The rule that decided, and what it had allowed before and after. */
export const RuleProof = z.strictObject({
  /** Canonical JSON of a `RuleStatement`. */
  statement_text: text,
  /** The signature over `statement_text`. */
  passkey: DecisionProof3,
  enrolment: Enrolment.nullable(),
  budget: z.strictObject({
    /** Of what the request costs (ISO 4217). Null without money, and for a rejection. */
    currency: z.string().max(3).nullable(),
    /** In the minor unit of the currency. 0 without money. */
    cost: z.int().min(0),
    /** The name of the day, week or month. Null when the budget has no periods. */
    period: z.string().max(10).nullable(),
    before: RuleSpent,
    after: RuleSpent,
    /** Those at the time of the decision. They can be narrower than the signed ones. Null: no limit. */
    limits: z.strictObject({
      uses: z.int().min(0).nullable(),
      uses_each: z.int().min(0).nullable(),
      amount: z.int().min(0).nullable(),
    }),
  }),
})
export type RuleProof = z.infer<typeof RuleProof>

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

const file = {
  peck_id: z.string(),
  outcome: z.enum(outcomes),
  statement_text: text,
  jws: text,
  enrolment: Enrolment.nullable(),
  values: ReceiptValues.optional(),
  jwks: ReceiptFile.shape.jwks,
}

/** A receipt of version 2 in a file. */
export const OutcomeFile2 = z.strictObject({
  version: z.literal(2),
  statement: DecisionStatement2,
  passkey: DecisionProof2.nullable(),
  ...file,
})

/** A receipt of version 3 in a file. */
const OutcomeFile3 = z.strictObject({
  version: z.literal(3),
  statement: DecisionStatement3,
  passkey: DecisionProof3.nullable(),
  logged: Logged.nullable(),
  /** Only when a rule decided. Left out together with the values, because a rule names values. */
  rule: RuleProof.optional(),
  ...file,
})

export const OutcomeFile = z.discriminatedUnion('version', [OutcomeFile2, OutcomeFile3])
export type OutcomeFile = z.infer<typeof OutcomeFile>

/** What the service signs. Every digest is a SHA-256 in base64url. */
const claims = {
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  iat: z.int().min(0).max(secondsMax),
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
  /** A test service signed it. Only there with `allowTest`. */
  test: z.literal(true).optional(),
  /** Digest of the passkey's proof. */
  passkey: Digest.nullable(),
  /** Digest of the proof of the enrolment. */
  enrolment: Digest.nullable(),
}

export const OutcomeClaims = z.discriminatedUnion('version', [
  z.strictObject({ ...claims, version: z.literal(2) }),
  z.strictObject({
    ...claims,
    version: z.literal(3),
    /** Digest of what the log has. */
    logged: Digest.nullable(),
    /** Digest of the rule, or null when the receipt leaves the rule out. Only there when a rule decided. */
    rule: Digest.nullable().optional(),
  }),
])
export type OutcomeClaims = z.infer<typeof OutcomeClaims>
