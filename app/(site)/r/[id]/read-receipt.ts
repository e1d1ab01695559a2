import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { cache } from 'react'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-read'
import { isMalformed, isMissing } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { checkOwn } from '../../receipts/judge'
import type { ReceiptNames } from '../../receipts/outcome-document'
import { readOwnKeys } from '../../receipts/own-keys'

type Shared = ResponseOf<'GET /beak/peck/shared'>

export interface CheckedReceipt {
  shared: Shared
  names: ReceiptNames
  /** Null when the check found a fault. */
  facts: OutcomeFacts | null
}

/** Returns a shared receipt after the same check that everybody can run, or null when nothing is shared there. Throws `PageProblem`. */
export const readReceipt = cache(async (id: string): Promise<CheckedReceipt | null> => {
  const result = await api('GET /beak/peck/shared', { query: { id } })
  if (!result.ok) {
    if (isMissing(result.problem) || isMalformed(result.problem)) return null
    throw new PageProblem(result.problem)
  }
  const shared = result.data
  const verdict = await checkOwn(shared.receipt, await readOwnKeys())
  const { facts } = verdict
  return { shared, names: namesOf(shared), facts: facts === null || facts.version === 1 ? null : facts }
})

function namesOf({ requester, target }: Shared): ReceiptNames {
  const { agent_name: agent } = requester
  const person = personName(requester)
  return agent === undefined
    ? { requester: person, operator: null, target: personName(target) }
    : { requester: quotedName(agent), operator: person, target: personName(target) }
}
