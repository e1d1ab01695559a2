import { db } from '@/lib/db/client'
import { proveEnrolment } from '@/lib/domain/tlog/prove-enrolment'
import type { Cast } from '../people/cast'
import type { treeOf } from './forge'

/** Returns the proof that the log has a passkey of Nadia, or null when it has none at that size. */
export async function enrolmentOf(
  { nadia }: Cast,
  { credentialId, publicKey }: { credentialId: string; publicKey: string },
  log: ReturnType<typeof treeOf>,
) {
  const { id: passkeyId } = await db().passkey.findUniqueOrThrow({ where: { credentialId } })
  return proveEnrolment(db(), { ducklingId: nadia.id, passkeyId, credentialId, publicKey, log })
}
