/** Decisions that nobody made, without a passkey. */
import { db } from '@/lib/db/client'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import type { Evidence, Lie } from '../evidence'
import { forgeReceipt, madeUpStatement, offerOf } from '../host/forge'
import { ask, termsOf, use } from '../people/decide'
import type { Site } from '../people/terms'
import { approverOrigin, type World } from '../people/world'

/** What a statement says about where Nadia signed. */
export const signedOn = (site: Site) => ({ approver: site === 'approver' ? approverOrigin : null })

async function approvalWithoutPasskey(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world)
  const peckId = await ask(world, terms)
  const statement = madeUpStatement(terms, { peck_id: peckId, ...signedOn(site) })
  return { offer: offerOf(terms, forgeReceipt(terms, { statement })) }
}

async function approvalInDatabase(world: World): Promise<Evidence> {
  const terms = termsOf(world)
  const peckId = await ask(world, terms)
  const now = readClock()
  await db().peck.update({
    where: { id: peckId },
    data: { status: 'approved', decidedAt: now, grantExpiresAt: secondsAfter(now, 3600), pendingKey: null },
  })
  // The agent reads a real permission, and the real service answers.
  return { offer: await use(world, { peckId, terms }) }
}

async function requestThatNeverExisted(world: World, site: Site): Promise<Evidence> {
  const terms = termsOf(world, { action: 'sell:house', params: { house: '7 Pond Lane' } })
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
