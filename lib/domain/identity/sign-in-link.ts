/** Links for one sign-in, which the host makes and hands over (contract E, Sign-in links). */
import type { Tx } from '@/lib/db/client'
import type { SignInLink } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { enqueueCode } from '@/lib/domain/codes/request-code'
import { finishRecovery } from '@/lib/domain/revocation/prove-address'
import { type DeviceSession, findDevice, storeDevice } from '@/lib/domain/sessions/devices'
import { lockDuckling } from '@/lib/domain/sessions/proof'
import { ownerColumns, type SessionOwner, startSession } from '@/lib/domain/sessions/start'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { mintToken, readToken } from '@/lib/kernel/secrets/secret-token'

type NewLink = Pick<SignInLink, 'ducklingId' | 'worksFrom' | 'expiresAt' | 'recoveryId'>

/** Makes a link in place of an earlier one of the account. Returns its address. Only a digest is stored. */
export async function makeSignInLink(tx: Tx, now: Date, link: NewLink): Promise<string> {
  const { id, token, secretHash } = mintToken('sign_in_link', now)
  await tx.signInLink.deleteMany({ where: { ducklingId: link.ducklingId } })
  await tx.signInLink.create({ data: { id, tokenHash: secretHash, createdAt: now, ...link } })
  return `${config().baseUrl}/signin/link?${new URLSearchParams({ token })}`
}

/**
 * Signs in with a link and deletes it. A link about which an account was told works only when the recovery was not cancelled. Throws
 * `link_invalid`, `link_too_early` or `account_suspended`; neither of the last two uses the link.
 */
export function signInWithLink(
  context: AnonymousContext<'link_invalid' | 'link_too_early' | 'account_suspended'>,
  token: string,
  deviceToken?: string,
): Promise<DeviceSession> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, token, now)
    if (link === null) throw context.fail('link_invalid')
    const { id, ducklingId, recoveryId, worksFrom } = link
    const account = await lockDuckling(tx, ducklingId)
    if (account === null) throw context.fail('link_invalid', {}, { ducklingId })
    if (worksFrom > now)
      throw context.fail('link_too_early', { next_allowed_at: worksFrom.toISOString() }, { ducklingId })
    // Under the lock of the account: a cancelled recovery has no row, and a finished one is no longer named by the link.
    if (recoveryId !== null) await finishRecovery(tx, recoveryId, ducklingId, now)
    const { count } = await tx.signInLink.deleteMany({ where: { id, recoveryId: null } })
    if (count !== 1) throw context.fail('link_invalid', {}, { ducklingId })
    const [owner] = await tx.rows<SessionOwner>`
      SELECT ${ownerColumns} FROM "Duckling" d WHERE d."id" = ${ducklingId} AND d."deletedAt" IS NULL`
    if (owner === undefined) throw context.fail('link_invalid')
    const device = await findDevice(tx, deviceToken, { id: ducklingId }, now)
    const session = await startSession(tx, context, owner, ['link'], { isExpected: device !== null })
    // The person proves the address next. When no code may be sent, the page offers to send one later.
    if (account.email !== null && account.emailVerifiedAt === null)
      await enqueueCode(tx, context, 'verify_email', account.email, ducklingId)
    return storeDevice(tx, now, ducklingId, session, device)
  })
}

async function findLink(tx: Tx, token: string, now: Date): Promise<SignInLink | null> {
  const parts = readToken(token)
  if (parts === null) return null
  return tx.signInLink.findFirst({
    where: { id: parts.id, tokenHash: parts.secretHash, expiresAt: { gt: now } },
  })
}
