import { testAction } from '@beak/decision/test-request'
import { Digest, ShopChallenge } from '@beak/proofs/receipts/decision-statement'
import { z } from 'zod'
import { invitationUrl, tokenIn } from '@/lib/domain/invitations/schema'
import type { AskedPeck } from '@/lib/domain/pecks/new-peck'
import { params } from '@/lib/domain/pecks/params'
import { requireFreeText } from '@/lib/domain/pecks/request/free-text'
import { lifetime } from '@/lib/domain/pecks/schema'
import { scope } from '@/lib/infrastructure/events/kinds/peck-data'
import { m } from '@/lib/kernel/messages'
import { always, text, verbObject } from '@/lib/kernel/request/fields'
import { askedRef } from '@/lib/kernel/request/handle'
import { hostNameField } from '@/lib/kernel/request/host-name'
import { paramTypesField } from '@/lib/kernel/request/param-types'

/** Whom a request names in one field, as the clients do. */
const anyTarget = z
  .string()
  .max(1000)
  .refine((text) => askedRef.safeParse(text).success || tokenIn(text) !== null, {
    error: () => m.field_must_be_any_target({ url: invitationUrl('…') }),
  })
  .meta({
    description:
      'The id of the person, `@` and the handle, `to` of POST /beak/spaceducks/find, or the whole address of an invitation link.',
  })

/** Without the rule that exactly one field names the target. */
export const PeckFields = z.strictObject({
  target_duckling_id: askedRef
    .meta({
      description: 'Instead of `target`: an id, `@` and a handle, or `to` of POST /beak/spaceducks/find.',
    })
    .optional(),
  target: anyTarget.optional(),
  action: verbObject.refine(
    (action) => action !== testAction,
    'is reserved for the test that the owner of an agent asks for; choose another action',
  ),
  scope: scope.default('limited'),
  params,
  message: text(0, 280).optional(),
  expires_in: lifetime.default(86_400),
  grant_expires_in: lifetime.optional(),
  param_types: paramTypesField.optional(),
  audience: hostNameField
    .meta({ description: 'Host name of the service that the permission is meant for.' })
    .optional(),
  require: z
    .literal('signed')
    .meta({
      description:
        'Only an approval that a passkey signs counts. Always so with `challenge` or `code_hash`. Use it when the service that will act accepts nothing less.',
    })
    .optional(),
  challenge: ShopChallenge.meta({
    description: 'Challenge of the service that will act. The passkey signs it, and the receipt has it.',
  }).optional(),
  code_hash: Digest.meta({
    description:
      'Salted hash of six digits that this service shows to the person, who types them to approve: SHA-256, in base64url, of the canonical JSON of `[salt, code]`.',
  }).optional(),
})

export const PeckRequest = PeckFields.refine(
  (body) => (body.target_duckling_id === undefined) !== (body.target === undefined),
  {
    path: ['target_duckling_id'],
    error: m.field_must_be_sent_instead_of_target,
    when: always,
  },
).superRefine(requireFreeText)

/** Translates the body of a request for permission into the domain's names. */
export function toPeckRequest(body: z.output<typeof PeckRequest>): AskedPeck {
  const { target = '' } = body
  const invitationToken = tokenIn(target)
  return {
    targetDucklingId: invitationToken === null ? (body.target_duckling_id ?? target) : '',
    invitationToken,
    action: body.action,
    scope: body.scope,
    params: body.params,
    message: body.message,
    expiresIn: body.expires_in,
    grantExpiresIn: body.grant_expires_in,
    paramTypes: body.param_types,
    audience: body.audience,
    terms: {
      requireSigned: body.require !== undefined,
      challenge: body.challenge ?? null,
      codeHash: body.code_hash ?? null,
    },
  }
}
