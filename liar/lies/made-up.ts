/** Decisions that nobody made, without a passkey. */
import { db } from '@/lib/db/client'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { newId } from '@/lib/kernel/ids'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpStatement, offerOf } from '../host/forge'
import { approverOrigin, type Cast } from '../people/cast'
import { ask, type Site, termsOf, use } from '../people/decide'

/** What a statement says about where Nadia signed. */
export const signedOn = (site: Site) => ({ approver: site === 'approver' ? approverOrigin : null })

async function approvalWithoutPasskey(cast: Cast, site: Site): Promise<Evidence> {
  const terms = termsOf(cast)
  const peckId = await ask(cast, terms)
  const statement = madeUpStatement(terms, { peck_id: peckId, ...signedOn(site) })
  return { offer: offerOf(terms, forgeReceipt(terms, { statement })) }
}

async function approvalInDatabase(cast: Cast): Promise<Evidence> {
  const terms = termsOf(cast)
  const peckId = await ask(cast, terms)
  const now = readClock()
  await db().peck.update({
    where: { id: peckId },
    data: { status: 'approved', decidedAt: now, grantExpiresAt: secondsAfter(now, 3600), pendingKey: null },
  })
  // The agent reads a real permission, and the answer is that of the real service.
  return { offer: await use(cast, { peckId, terms }) }
}

async function requestThatNeverExisted(cast: Cast, site: Site): Promise<Evidence> {
  const terms = termsOf(cast, { action: 'sell:house', params: { house: '7 Pond Lane' } })
  const statement = madeUpStatement(terms, { peck_id: newId('peck', readClock()), ...signedOn(site) })
  return { offer: offerOf(terms, forgeReceipt(terms, { statement })) }
}

export const madeUpLies: Lie[] = [
  {
    forged: 'The receipt of an approval that Nadia never gave, without a passkey',
    access: 'key of the service',
    play: approvalWithoutPasskey,
    fault: 'trust',
  },
  {
    forged:
      'An approval in the row of a request, so that the service itself gives the permission and its receipt',
    access: 'database',
    play: approvalInDatabase,
    fault: 'trust',
  },
  {
    forged: 'The receipt of an approval of a request that never existed',
    access: 'key of the service',
    play: requestThatNeverExisted,
    fault: 'trust',
  },
]
