import { m } from '@/lib/kernel/messages'
import { passkeyChallenge } from './actions'
import { type Errand, goToApprover } from './approver-errand'

interface Departure {
  /** Where the approver is, and the id of the account. */
  approver: { origin: string; viewer: string }
  request: { purpose: 'approve'; peck_id: string; code?: string } | { purpose: 'reject'; peck_id: string }
  /** For the form that takes the signature. They stay in this tab, and the approver does not get them. */
  fields: Errand['fields']
}

/** Leaves for the approver with the statement of a decision. Returns why not, or null. */
export async function decideElsewhere({ approver, request, fields }: Departure): Promise<string | null> {
  const { purpose, peck_id: peckId } = request
  const offer = await passkeyChallenge({ ...request, approver: true })
  if (!offer.ok) return offer.message
  const { statement, values, allowCredentials = [] } = offer.data
  if (statement === undefined || values?.display === undefined) return m.passkeys_statement_missing_error()
  const { issuer, decision } = JSON.parse(statement) as { issuer: string; decision: string }
  if (decision !== purpose) return m.passkeys_statement_missing_error()
  await goToApprover(
    approver.origin,
    {
      type: 'decide',
      issuer,
      return: `${issuer}/pecks/${peckId}/approver`,
      statement_text: statement,
      values: { ...values, display: values.display },
      credential_ids: allowCredentials.map(({ id }) => id),
    },
    { viewer: approver.viewer, purpose, fields: { ...fields, peck_id: peckId } },
  )
  return null
}
