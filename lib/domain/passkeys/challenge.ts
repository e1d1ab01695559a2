import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { openCeremony } from './ceremony'
import { requestOptions } from './request-options'
import type { RequestOptions } from './schema'

/** Returns the options for an assertion for PUT /beak/trust/elevate or POST /beak/passkey/confirm. Throws `no_passkey_registered`. */
export function challengeCaller(
  context: DucklingContext<'no_passkey_registered'>,
  purpose: 'elevate' | 'confirm',
): Promise<RequestOptions> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const passkeys = await getCallerPasskeys(tx, context)
    const session = purpose === 'confirm' ? { sessionId: caller.sessionId } : {}
    const challenge = await openCeremony(tx, now, { purpose, ducklingId: caller.id, ...session })
    record(tx, context, 'passkey.challenged', { metadata: { purpose } })
    return requestOptions(challenge, passkeys)
  })
}

/** Returns the caller's passkeys, newest first. Throws `no_passkey_registered` when there is none. */
export async function getCallerPasskeys(tx: Tx, context: DucklingContext<'no_passkey_registered'>) {
  const passkeys = await tx.passkey.findMany({
    where: { ducklingId: context.caller.id },
    orderBy: { id: 'desc' },
    select: { credentialId: true, transports: true },
  })
  if (passkeys.length === 0) throw context.fail('no_passkey_registered')
  return passkeys
}
