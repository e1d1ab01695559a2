/**
 * Wire forms of the WebAuthn ceremonies (WebAuthn Level 3, section 5.1 "JSON"). Browsers may add members to credentials, so the
 * schemas of credentials allow unknown members. Every text that we read has a maximum length.
 */
import { ReceiptValues } from '@beak/proofs/receipts/outcome-schema'
import { RuleRequest } from '@beak/proofs/rules/rule'
import { z } from 'zod'
import type { Passkey as PasskeyRow } from '@/lib/db/generated/client'
import { m } from '@/lib/kernel/messages'
import { instant, label, serviceCode } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'

export const passkeyId = idSchema('passkey')
export const passkeyName = label

/**
 * Base64url of at most that many bytes. Some programs write padding, or the other alphabet of base64: it becomes base64url without padding, as
 * verifiers of receipts read it. Text that cannot be decoded is refused with the assertion, like any other fault in it.
 */
function base64url(bytesMax: number) {
  const lengthMax = Math.ceil((bytesMax * 4) / 3) + 2
  return (
    z
      .string()
      .max(lengthMax, `must be base64url of at most ${bytesMax} bytes`)
      .transform((text) =>
        text
          .replace(/={1,2}$/, '')
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
      )
      // Without `contentEncoding`: programs that convert the description to OpenAPI 3.0 stop at base64url.
      .meta({ type: 'string', maxLength: lengthMax, description: 'In base64url (RFC 4648, section 5).' })
  )
}

const credentialFields = {
  /** Credential ids have at most 1023 bytes. */
  id: base64url(1023),
  /** The same as `id`. Some programs leave it out. */
  rawId: base64url(1023).nullish(),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.looseObject({}).nullish(),
}

/** The JSON form of the credential from `navigator.credentials.create()` (`RegistrationResponseJSON`). */
export const RegistrationCredential = z
  .looseObject({
    ...credentialFields,
    response: z.looseObject({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(24_576),
      transports: z.array(z.string().max(32)).max(16).nullish(),
    }),
  })
  .meta({ id: 'RegistrationCredential' })

/** The JSON form of the assertion from `navigator.credentials.get()` (`AuthenticationResponseJSON`). */
export const AssertionCredential = z
  .looseObject({
    ...credentialFields,
    response: z.looseObject({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(4096),
      signature: base64url(2048),
      userHandle: base64url(64).nullish(),
    }),
  })
  .meta({ id: 'AssertionCredential' })

export type RegistrationCredential = z.output<typeof RegistrationCredential>
export type AssertionCredential = z.output<typeof AssertionCredential>

const onApprover = z.literal(true).meta({
  description: 'Your approver signs, on its own site (/docs/approver).',
})

/** The purpose of a challenge. */
export const ChallengeRequest = z.discriminatedUnion('purpose', [
  z.strictObject({ purpose: z.literal('elevate') }),
  z.strictObject({ purpose: z.literal('confirm') }),
  z.strictObject({
    purpose: z.literal('approve'),
    peck_id: idSchema('peck'),
    statement_version: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .optional()
      .meta({
        description:
          'Version of the statement that the passkey signs. Default: 2, and 3 for a request that has `require`, `challenge` or `code_hash`.',
      }),
    code: serviceCode.optional().meta({
      description: 'For a request with `code_hash`: the six digits that the person typed.',
    }),
    approver: onApprover.optional(),
  }),
  z.strictObject({
    purpose: z.literal('reject'),
    peck_id: idSchema('peck'),
    approver: onApprover.optional(),
  }),
  z.strictObject({ purpose: z.literal('endorse'), passkey_id: passkeyId }),
  z
    .strictObject({
      purpose: z.literal('rule'),
      rule: RuleRequest.optional().meta({ description: 'A new rule, or what the rule `rule_id` becomes.' }),
      rule_id: idSchema('rule').optional().meta({
        description: 'The rule that is changed. Without `rule`: the rule that is resumed as it is.',
      }),
    })
    .refine(({ rule, rule_id }) => rule !== undefined || rule_id !== undefined, {
      path: ['rule'],
      error: m.field_rule_or_id_needed,
    }),
])
export type ChallengeRequest = z.output<typeof ChallengeRequest>

const CredentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const CreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(CredentialDescriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
    hints: z.array(z.string()),
    extensions: z.looseObject({ credProps: z.boolean().optional() }),
  })
  .meta({ id: 'PasskeyCreationOptions' })

/** `PublicKeyCredentialRequestOptionsJSON`. Without `allowCredentials` the browser offers all discoverable passkeys. */
export const RequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(CredentialDescriptor).optional(),
  })
  .meta({ id: 'PasskeyRequestOptions' })

/** The answer to a request for a challenge. Browsers ignore the members that WebAuthn does not know. */
export const Challenge = RequestOptions.extend({
  statement: z.string().optional().meta({
    description: 'From version 2 on: canonical JSON, whose SHA-256 is the challenge.',
  }),
  values: ReceiptValues.optional().meta({
    description: 'From version 2 on: the values behind the hashes.',
  }),
  approver: z.object({ origin: z.string() }).optional().meta({
    description: 'The site on which the passkey signs.',
  }),
}).meta({ id: 'PasskeyChallenge' })
export type Challenge = z.input<typeof Challenge>

export type CreationOptions = z.input<typeof CreationOptions>
export type RequestOptions = z.input<typeof RequestOptions>

export const Passkey = z
  .object({
    passkey_id: z.string(),
    name: z.string(),
    created_at: instant,
    backed_up: z.boolean(),
    user_verified: z.boolean(),
  })
  .meta({ id: 'Passkey' })

/** A passkey in the list of its owner. */
export const ListedPasskey = Passkey.extend({
  last_used_at: instant.nullable(),
  transports: z.array(z.string()),
  endorsed: z.boolean().meta({
    description: 'Whether an older passkey vouches for this one (POST /beak/passkey/endorse).',
  }),
}).meta({ id: 'ListedPasskey' })

export type PasskeyInput = z.input<typeof Passkey>
export type ListedPasskeyInput = z.input<typeof ListedPasskey>

/** Returns the wire form of a passkey for its owner. */
export function presentPasskey(row: PasskeyRow): ListedPasskeyInput {
  return {
    passkey_id: row.id,
    name: row.name,
    created_at: row.createdAt,
    backed_up: row.backedUp,
    user_verified: row.userVerified,
    last_used_at: row.lastUsedAt,
    transports: row.transports,
    endorsed: row.endorsements !== null,
  }
}
