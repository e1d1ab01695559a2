/**
 * Spends a use of a permission, or only checks it, and answers with the receipt, so that the service that acts does not have to believe this
 * one.
 */
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import {
  checkGrantActive,
  getGrantDigest,
  lockGrantedPeck,
  refuseUse,
  spendGrant,
} from '@/lib/domain/pecks/grant/spend'
import { type Params, paramsHash } from '@/lib/domain/pecks/params'
import { receiptOfPeck } from '@/lib/domain/pecks/receipts/outcome-receipt'
import { findPeckOfToken, type PresentedGrant } from '@/lib/domain/pecks/rows'
import type { AnonymousContext, Context } from '@/lib/kernel/context'
import { differenceOf } from './difference'
import { type ConsumedInput, presentConsumed } from './schema'

type UseContext = AnonymousContext<
  'grant_token_invalid' | 'grant_not_active' | 'grant_mismatch' | 'grant_audience_mismatch'
>

/** A use of a permission. `audience`: host name of the service that acts. */
interface Use {
  grantToken: string
  params: Params
  audience?: string | undefined
}

/**
 * Spends one use, for the service that is about to do what was approved. Throws `grant_token_invalid`, `grant_not_active`,
 * `grant_mismatch` when the params are not the approved ones, or `grant_audience_mismatch` when the permission is meant for another service.
 */
export async function consumeGrant(context: UseContext, use: Use): Promise<ConsumedInput> {
  const digest = getGrantDigest(context, use.grantToken)
  return transaction(async (tx) => {
    const peck = await lockGrantedPeck(tx, context, digest)
    checkUse(context, peck, use)
    return present(
      tx,
      context,
      { ...peck, ...spendGrant(tx, context, peck, use.audience) },
      { withLog: false },
    )
  })
}

/** Checks a use in the same way and spends nothing, so that a service can read the receipt before it uses the permission. */
export async function checkGrant(context: UseContext, use: Use): Promise<ConsumedInput> {
  const peck = await findPeckOfToken(getGrantDigest(context, use.grantToken))
  if (peck === null) throw context.fail('grant_token_invalid')
  checkUse(context, peck, use)
  return present(db(), context, peck, { withLog: true })
}

function checkUse(context: UseContext, peck: PresentedGrant, { params, audience }: Use): void {
  checkGrantActive(context, peck)
  if (peck.paramsHash !== paramsHash(params)) {
    const errors = differenceOf(JSON.parse(peck.params) as Params, params)
    throw refuseUse(context, peck, 'grant_mismatch', errors.length > 0 ? { errors } : {})
  }
  // Only a service that names itself is checked, because services that know no audience go on to work (contract C, Pecks and grants).
  if (audience !== undefined && peck.audience !== null && peck.audience !== audience)
    throw refuseUse(context, peck, 'grant_audience_mismatch')
}

/**
 * The receipt discloses the params, which the service has just named. What was displayed also has the words of the asker. The log does not have
 * a use before a minute is over, so the answer to a use does not read it.
 */
async function present(
  tx: Tx,
  { now }: Context,
  peck: PresentedGrant,
  { withLog }: { withLog: boolean },
): Promise<ConsumedInput> {
  const receipt = await receiptOfPeck(tx, peck, { disclosure: 'params', now, stored: peck, withLog })
  if (receipt === null) throw new Error('a permission without a decision')
  return presentConsumed(peck, receipt)
}

/**
 * Checks that a use which was counted earlier would still be allowed, so that no repeated answer says `active` about a permission that was
 * revoked or has expired since. Throws `grant_token_invalid` or `grant_not_active`.
 */
export async function checkCountedUse(
  context: AnonymousContext<'grant_token_invalid' | 'grant_not_active'>,
  grantToken: string,
): Promise<void> {
  const peck = await findPeckOfToken(getGrantDigest(context, grantToken))
  if (peck === null) throw context.fail('grant_token_invalid')
  // The counted use may have been the last one.
  checkGrantActive(context, { ...peck, uses: peck.uses - 1 })
}
