/** The viewer's passkeys: how many there are, and whether all of them will be removed. */

import { cookies } from 'next/headers'
import { day } from '@/lib/kernel/runtime/clock'
import { api } from './api'
import { type AskedChanges, changesToAsk } from './changes'
import { PageProblem } from './page-read'
import { cookieOptions } from './session-cookie'
import { findOverview } from './viewer'

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return ((await findOverview())?.passkeys ?? 0) > 0
}

/** Returns the viewer's approver, or null. Throws `PageProblem`. */
export async function viewerApprover() {
  return (await findOverview())?.approver ?? null
}

const noChanges: AskedChanges = { changes: [], isReported: false }

/**
 * Returns what the viewer must know on every page: what will happen to the account unless it is cancelled (null for each when it is not
 * pending), what other sessions changed, and whether everything that may happen without asking is paused. Nothing when it cannot be read.
 */
export async function findPending() {
  try {
    const overview = await findOverview()
    return {
      recovery: overview?.recovery ?? null,
      emailUndo: overview?.email_undo ?? null,
      asked: overview === null ? noChanges : await changesToAsk(overview),
      isPaused: overview !== null && overview.rules.paused_at !== null,
    }
  } catch (error) {
    if (error instanceof PageProblem)
      return { recovery: null, emailUndo: null, asked: noChanges, isPaused: false }
    throw error
  }
}

/** Whether a person who signs in without a passkey is offered to add one. After "Not now", the offer pauses for 90 days. */

const name = 'beak.no-passkey'

/**
 * Returns whether the caller has a passkey. `token` replaces the session in the cookie. A refusal counts as yes, so that nothing is
 * offered.
 */
export async function hasPasskey(token?: string): Promise<boolean> {
  const list = await api('GET /beak/passkey/list', { query: { limit: '1' }, ...(token ? { token } : {}) })
  return !list.ok || list.data.items.length > 0
}

/** Whether the person has declined a passkey in the last 90 days. */
export async function wantsNoPasskey(): Promise<boolean> {
  return (await cookies()).has(name)
}

/** Stores "Not now" in a cookie. Works only in server actions, because a page cannot set cookies. */
export async function rememberNoPasskey(): Promise<void> {
  ;(await cookies()).set(name, 'yes', { ...cookieOptions(), maxAge: 90 * day })
}
