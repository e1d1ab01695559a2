/**
 * The outbox: what a transaction promises to send, written in that very transaction (contract A). The worker delivers it
 * afterwards, with retries; a crash in between loses nothing. Payloads name things by id and never hold a secret: codes and
 * links are minted when the message is sent.
 */
import { EventEmitter } from 'node:events'
import type { Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { singleton } from '@/lib/kernel/singleton'

/** The kinds of promised work and what each payload holds. */
export interface OutboxPayloads {
  /** A code by mail or SMS: the row of `OtpCode` names address, purpose and account. */
  code: { otp_id: string; request_id: string | null }
  /** The same by SMS, in a lane of its own. */
  text_code: { otp_id: string; request_id: string | null }
  /** Another text message: to the account's verified number. */
  text: { duckling_id: string; notice: 'recovery_started' }
  /** What `enqueueNotice` has collected for the duckling's own address; with `facts`, this one notice at once. */
  notice: { duckling_id: string; notice: NoticeName; facts?: Record<string, string> }
  /** A mail with a link that does one thing once (`MailLink`). */
  link: { link_id: string }
  /** A notice to an address that is not (or no longer) the account's. */
  letter: { to: string; notice: NoticeName; facts: Record<string, string> }
  /** A closed account whose log still holds IP addresses and user agents. */
  erase_context: { duckling_id: string }
  /** An account whose other sessions were stopped by the first proof of its address. */
  forget_stopped: { duckling_id: string }
  /** A distrusted signing key: end the sessions that it signed, and sign the certificates again. `after`: where to go on. */
  replace_signatures: { kid: string; step?: 'sessions' | 'certificates'; after?: string }
  /** A request to subscribe. One that is not due, because the address had its mail of the hour, sends nothing. */
  newsletter: { email: string; is_due: boolean }
  /** Mail about a support ticket: the request to us, or the receipt to its sender. */
  support: { ticket_id: string; letter: 'request' | 'receipt' }
  /** `round` is the delivery's own (0 if missing): a promise of an earlier round is void. */
  webhook: { delivery_id: string; round?: number }
}
export type OutboxKind = keyof OutboxPayloads

export type NoticeName =
  | 'signup_attempt'
  | 'new_device'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_counter'
  | 'key_rotated'
  | 'certificate_revoked'
  | 'email_changed'
  | 'phone_changed'
  | 'code_failures'
  | 'account_closed'
  | 'webhook_disabled'
  | 'peck_waiting'
  | 'account_reclaimed'
  | 'tier_lowered'
  | 'email_restored'
  | 'recovery_cancelled'
  | 'passkeys_removed'

const nudges = () => singleton('outbox.nudges', () => new EventEmitter())

/** Tells the worker of this process that there is something to do. */
export function nudgeOutbox(): void {
  nudges().emit('nudge')
}

/** Calls `listener` at every nudge; returns how to stop that. */
export function onNudge(listener: () => void): () => void {
  nudges().on('nudge', listener)
  return () => nudges().off('nudge', listener)
}

/** Promises work of that kind, due now. Webhooks have a queue of their own: `enqueueDelivery`. */
export async function enqueue<K extends Exclude<OutboxKind, 'webhook'>>(
  tx: Tx,
  now: Date,
  kind: K,
  payload: OutboxPayloads[K],
): Promise<void> {
  await tx.outbox.create({ data: { kind, payload, dueAt: now, createdAt: now } })
  onCommit(tx, nudgeOutbox)
}
