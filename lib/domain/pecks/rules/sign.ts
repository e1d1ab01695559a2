/** The signature of a rule: its statement, the challenge over it, and the check of the assertion. */
import { base64 } from '@beak/proofs/bytes'
import { canonicalText } from '@beak/proofs/canonical'
import type { Endorsement } from '@beak/proofs/receipts/outcome-schema'
import { type Rule, RuleStatement } from '@beak/proofs/rules/rule'
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { findStatement, readClientData, storeCeremony } from '@/lib/domain/passkeys/ceremony'
import { isVerifiable } from '@/lib/domain/passkeys/endorse'
import type { AssertionCredential, Challenge } from '@/lib/domain/passkeys/schema'
import { getCallerPasskeys, requestOptions } from '@/lib/domain/passkeys/sign-in'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { findWitnessedCheckpoint } from '@/lib/domain/tlog/witness-lease'
import { record } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { type PrepareFailure, prepareRule, requireSound } from './prepare'
import { lockRule, type SignedRule } from './rows'
import { readRule, type SentRule } from './schema'

const purpose = 'rule' as const

/** Returns the time zone of the person's days: the time zone of the quiet hours, or of the browser. */
export async function timeZoneOf(tx: Tx, ducklingId: string): Promise<string> {
  const [row] = await tx.rows<{ zone: string | null }>`
    SELECT COALESCE(s."timeZone", d."browserTimeZone") AS "zone" FROM "Duckling" d
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = d."id" WHERE d."id" = ${ducklingId}`
  return row?.zone ?? 'UTC'
}

interface ToSign {
  /** Undefined: the rule with `ruleId` as it is. */
  rule?: SentRule | undefined
  /** Undefined: a new rule. */
  ruleId?: string | undefined
}

/**
 * Returns the options for the assertion that POST /beak/rule/create, update or resume takes. The challenge is the SHA-256 of the statement.
 * Throws `rule_not_found`, `rule_ended`, `no_passkey_registered` or the failures of `prepareRule`.
 */
export function challengeRule(
  context: DucklingContext<PrepareFailure | 'rule_not_found' | 'rule_ended' | 'no_passkey_registered'>,
  { rule: sent, ruleId }: ToSign,
): Promise<Challenge> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // A rule with a new end may be renewed.
    const renews = sent !== undefined
    const stored = ruleId === undefined ? null : await lockRule(tx, context, ruleId, { renews })
    const rule =
      sent === undefined
        ? readRule(await lockRule(tx, context, ruleId ?? ''))
        : await prepareRule(tx, context, sent)
    if (sent === undefined) requireSound(context, rule)
    const passkeys = await getCallerPasskeys(tx, context)
    const checkpoint = await findWitnessedCheckpoint(tx, caller.id)
    // A rule that is only resumed ends when it would have ended.
    const expiresAt =
      sent === undefined && stored !== null ? stored.expiresAt : secondsAfter(now, rule.expires_in)
    const statement: RuleStatement = {
      type: 'beak.rule',
      version: 1,
      issuer: config().baseUrl,
      nonce: randomBytes(16).toString('base64url'),
      rule_id: stored?.id ?? newId('rule', now),
      duckling_id: caller.id,
      rule,
      time_zone: stored?.timeZone ?? (await timeZoneOf(tx, caller.id)),
      sentence: ruleSentence(rule, expiresAt),
      created_at: now.toISOString(),
      expires_at: expiresAt.toISOString(),
      log: checkpoint && { origin: checkpoint.origin, size: checkpoint.size, root: base64(checkpoint.root) },
    }
    const text = canonicalText(statement)
    const challenge = sha256(text)
    await storeCeremony(tx, now, { purpose, ducklingId: caller.id }, challenge, text)
    record(tx, context, 'passkey.challenged', { metadata: { purpose } })
    return { ...requestOptions(challenge, passkeys), statement: text }
  })
}

/**
 * Verifies that a passkey of the caller signed this rule, and spends the challenge. Call it before the transaction. Throws
 * `passkey_assertion_invalid`, or `rule_changed` when the passkey signed another rule. `ruleId`: null for a new rule.
 */
export async function verifyRule(
  context: DucklingContext<'passkey_assertion_invalid' | 'rule_changed'>,
  { rule, ruleId }: { rule: Rule; ruleId: string | null },
  credential: AssertionCredential,
): Promise<SignedRule> {
  const ceremony = { purpose, ducklingId: context.caller.id }
  const { authenticatorData, clientDataJSON, signature } = credential.response
  const challenge = readClientData(clientDataJSON)?.challenge ?? ''
  const text = await findStatement(ceremony, challenge)
  if (text === null || challenge !== sha256(text).toString('base64url'))
    throw refusePasskey(context, 'challenge')
  const statement = RuleStatement.parse(JSON.parse(text))
  const isSame = canonicalText(statement.rule) === canonicalText(rule)
  if (!isSame || (ruleId !== null && statement.rule_id !== ruleId)) throw context.fail('rule_changed')
  const proven = await verifyAssertion(context, credential, ceremony)
  const { passkey } = proven
  const proof = {
    credential_id: passkey.credentialId,
    public_key: Buffer.from(passkey.publicKey).toString('base64url'),
    assertion: { authenticatorData, clientDataJSON, signature },
  }
  if (!(await isVerifiable(proof, text))) throw refusePasskey(context, 'malformed', passkey)
  await transaction((tx) => recordPasskeyUse(tx, context, proven))
  const endorsements = (passkey.endorsements ?? []) as Endorsement[]
  return { text, statement, proof: { statement: text, passkey_id: passkey.id, ...proof, endorsements } }
}
