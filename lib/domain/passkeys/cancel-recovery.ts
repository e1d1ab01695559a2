import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { findLink, spendLink } from '@/lib/domain/codes/mail-link'
import { lockDuckling } from '@/lib/domain/sessions/lock'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { AgentCaller, Context, SessionCaller } from '@/lib/kernel/context'
import { m } from '@/lib/kernel/messages'
import { recordRecovery } from './recovery'

interface Cancelled {
  success: true
}

/**
 * Cancels the pending removal of the caller's passkeys, or with a token that of the account which got the mailed link. Throws
 * `invalid_request` without session and token, `agent_not_allowed` for an agent, `link_invalid`, or `recovery_not_pending` when no
 * removal is pending.
 */
export async function cancelRecovery(
  context: Context<
    SessionCaller | AgentCaller | null,
    'invalid_request' | 'agent_not_allowed' | 'link_invalid' | 'recovery_not_pending'
  >,
  token: string | undefined,
): Promise<Cancelled> {
  if (token !== undefined) return cancelByLink({ ...context, caller: null }, token)
  const { caller } = context
  if (caller === null)
    throw context.fail('invalid_request', {
      errors: [{ field: 'token', message: m.field_is_required_without_session() }],
    })
  if (caller.type === 'agent') throw context.fail('agent_not_allowed')
  return transaction((tx) => cancel(tx, { ...context, caller }, caller.id, {}))
}

function cancelByLink(
  context: Context<null, 'link_invalid' | 'recovery_not_pending'>,
  token: string,
): Promise<Cancelled> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, 'recovery_cancel', token, now)
    if (link === null) throw context.fail('link_invalid')
    const cancelled = await cancel(tx, context, link.ducklingId, { id: link.subjectId ?? '' })
    await spendLink(tx, link.id, now)
    return cancelled
  })
}

/** Deletes the row of the recovery. When the worker removes the passkeys at the same time, only one of the two finds the row. */
async function cancel(
  tx: Tx,
  context: Context<SessionCaller | null, 'recovery_not_pending'>,
  ducklingId: string,
  which: { id?: string },
): Promise<Cancelled> {
  const { now } = context
  const account = await lockDuckling(tx, ducklingId)
  const where = { ducklingId, ...which }
  const recovery = await tx.passkeyRecovery.findFirst({ where })
  const { count } = await tx.passkeyRecovery.deleteMany({ where })
  if (account === null || recovery === null || count !== 1) throw context.fail('recovery_not_pending')
  recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
  enqueueNotice(tx, now, ducklingId, 'recovery_cancelled', { at: now.toISOString() })
  return { success: true }
}
