import { passkeyChallenge } from './actions'
import { goToApprover } from './approver-errand'

interface Approval {
  peckId: string
  origin: string
  /** The id of the account. */
  viewer: string
  /** The code that the person typed, if the request has one. */
  code?: string | undefined
  /** The lifetime that the person chose, or an empty text. */
  grantExpiresIn: string
}

const incomplete = 'Beak did not say what to sign. Reload the page and try again.'

/** Leaves for the approver with the statement of an approval. Returns why not, or null. */
export async function approveElsewhere(approval: Approval): Promise<string | null> {
  const { peckId, origin, viewer, code, grantExpiresIn } = approval
  const offer = await passkeyChallenge({
    purpose: 'approve',
    peck_id: peckId,
    approver: true,
    ...(code === undefined ? {} : { code }),
  })
  if (!offer.ok) return offer.message
  const { statement, values, allowCredentials = [] } = offer.data
  if (statement === undefined || values?.display === undefined) return incomplete
  const { issuer } = JSON.parse(statement) as { issuer: string }
  await goToApprover(
    origin,
    {
      type: 'decide',
      issuer,
      return: `${issuer}/pecks/${peckId}/approver`,
      statement_text: statement,
      values: { ...values, display: values.display },
      credential_ids: allowCredentials.map(({ id }) => id),
    },
    { viewer, fields: { peck_id: peckId, grant_expires_in: grantExpiresIn } },
  )
  return null
}
