/**
 * The outbox: a transaction writes rows for what must be sent or done after its commit. The worker works on the rows, with
 * retries, so a crash loses nothing. Payloads contain ids and no secrets: codes and links are generated when a message is sent.
 *
 * Notices to an account are collected: at most one mail of a kind in ten minutes, and one about sensitive changes in a minute. Events in between
 * are merged into the next mail (contract F, Mail). A row of `Notice` collects events, and one outbox row sends the collection.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import type { Reader } from '@/lib/infrastructure/mail/reader'
import { minute } from '@/lib/kernel/runtime/clock'
import { onSignal, signalOne, signalOthers } from './signals'

interface NoticePayload {
  duckling_id: string
  notice: NoticeName
  facts?: Record<string, string>
}

interface LetterPayload {
  to: string
  notice: NoticeName
  facts: Record<string, string>
  /** How the person reads mails, for an account that is erased before the mail is written. */
  reader?: Reader
}

/** The kinds of outbox rows and their payloads. */
export interface OutboxPayloads {
  /** A code by mail. The row of `OtpCode` has address, purpose and account. */
  code: { otp_id: string; request_id: string | null }
  /** A code by SMS. It has its own pool. */
  text_code: { otp_id: string; request_id: string | null }
  /** Another text message, to the verified number of an account. `due`: when it happens. Rows of earlier versions have none. */
  text: { duckling_id: string; notice: 'recovery_started'; due?: string }
  /** One that 0.2.0 does not know: see `kindOfNotice`. */
  text_since_0_3: { duckling_id: string; notice: 'approver_removal' | 'link_made'; due?: string }
  /** The collection of `enqueueNotice`. With `facts`, one notice that is not merged. */
  notice: NoticePayload
  notice_since_0_3: NoticePayload
  /** The next mail about waiting pecks to their target. A row is ignored when its `round` differs from the round of `PeckNotice`. */
  peck_mail: { duckling_id: string; round: number }
  /** The mail about one peck with a high risk, which goes out at once. */
  peck_alert: { duckling_id: string; peck_id: string }
  /** The weekly mail about what rules answered: from `since` up to, but not including, `until`. */
  rule_report: { duckling_id: string; since: string; until: string }
  /** Rules that have ended or lost their passkey: what they gave and nobody has used is revoked. */
  revoke_by_rules: { rule_ids: string[]; cause: 'rule_ended' | 'passkey_removed' }
  /** A peck that the channels of its target announce, or remind of. */
  reach: { peck_id: string; about?: 'announce' | 'remind' }
  /** A peck that no longer waits: its notifications go away. */
  reach_end: { peck_id: string }
  /** The message about requests that exceeded the budget of rings. */
  reach_summary: { duckling_id: string; summary_id: string }
  /** A message to a channel. `peck_id` is the id of the summary for `summary`. */
  channel_message: {
    about: 'announce' | 'remind' | 'withdraw' | 'summary'
    channel_id: string
    peck_id: string
    host: string
  }
  /** A mail with a link for one use (`MailLink`). */
  link: { link_id: string }
  /** A notice to an address that does not, or no longer, belong to the account. */
  letter: LetterPayload
  letter_since_0_3: LetterPayload
  /** A closed account whose log still contains IP addresses and user agents. */
  erase_context: { duckling_id: string }
  /** An account that came back with a backup: its log gets an event. */
  restored: { duckling_id: string; made_at: string; restored_at: string }
  /** An account whose sessions were stopped when its address was verified first, or restored. */
  forget_stopped: { duckling_id: string }
  /** A distrusted signing key: end its sessions and sign its certificates again. `after`: the id to continue after. */
  replace_signatures: { kid: string; step?: 'sessions' | 'certificates'; after?: string }
  /**
   * A subscription request. `is_due` is false when the address already got the mail of this hour: then nothing is sent. `language`, here and
   * below: the one of the browser.
   */
  newsletter: { email: string; is_due: boolean; language?: string | null }
  /** Mail about a support ticket: the request to the operator, or the receipt to its sender. */
  support: { ticket_id: string; letter: 'request' | 'receipt'; language?: string | null }
  /** A warning to the receiver of an endpoint as it was before a change or its deletion. The secrets are sealed, as base64. */
  webhook_warning: {
    duckling_id: string
    webhook_id: string
    message_id: string
    change: 'deleted' | 'changed' | 'secret_changed'
    url: string
    secret: string
    previous: string | null
    previous_until: string | null
    at: string
  }
  /** A sign-in that ended, to the site (OpenID Connect Back-Channel Logout). */
  site_logout: { url: string; site_id: string; sid: string; subject: string; alg: string }
  /** `round` (0 if missing) must be the round of the delivery. A row of an earlier round is ignored. */
  webhook: { delivery_id: string; round?: number }
}
export type OutboxKind = keyof OutboxPayloads

/** The notices of 0.2.0. */
const firstNotices = [
  'signup_attempt',
  'new_device',
  'passkey_added',
  'passkey_removed',
  'passkey_counter',
  'key_rotated',
  'certificate_revoked',
  'email_changed',
  'phone_changed',
  'code_failures',
  'account_closed',
  'webhook_disabled',
  'peck_waiting',
  'account_reclaimed',
  'tier_lowered',
  'email_restored',
  'recovery_cancelled',
  'passkeys_removed',
] as const

export type NoticeName =
  | (typeof firstNotices)[number]
  | 'account_closed_by_host'
  | 'account_suspended'
  | 'account_resumed'
  | 'approver_removed'
  | 'sessions_ended_by_host'
  | 'email_restore_started'
  | 'email_restore_cancelled'
  | 'sensitive_change'
  | 'log_continued'
  | 'service_restored'
  | 'rule_exhausted'
  | 'rule_stopped'
  | 'connection_ended'
  | 'agent_unguarded'

/**
 * Returns the kind of the row for a notice or a letter. The worker of 0.2.0 fails on notices that it does not know, so they have a kind that it
 * leaves alone. A worker from 0.3.0 on postpones notices that it does not know.
 */
export function kindOfNotice<K extends 'notice' | 'letter'>(
  kind: K,
  notice: NoticeName,
): K | `${K}_since_0_3` {
  return firstNotices.some((first) => first === notice) ? kind : `${kind}_since_0_3`
}

const topicOf = (kind: OutboxKind) => `outbox:${kind}`

/** After the commit, wakes the worker for a kind: the worker of this process, or the other ones when none runs here. */
export function wakeWorker(tx: Tx, kind: OutboxKind): void {
  signalOne(tx, topicOf(kind))
}

/** Wakes the workers of the other instances, for rows that this one has no free place for. */
export function wakeOtherWorkers(kinds: OutboxKind[]): void {
  signalOthers(kinds.map(topicOf))
}

const choresTopic = 'chores'

/**
 * After the commit, lets the worker look when chores are due: for work that is due in a few seconds. The worker of this process or, when none
 * runs here, the other ones.
 */
export function wakeChores(tx: Tx): void {
  signalOne(tx, choresTopic)
}

/** Calls `listener` when `wakeChores` was called. Returns a function that removes the listener. */
export const onChoresChanged = (listener: () => void) => onSignal(choresTopic, listener)

/** Calls `listener` when rows of the kinds were enqueued. Returns a function that removes the listener. */
export function onEnqueued(kinds: OutboxKind[], listener: () => void): () => void {
  const ends = kinds.map((kind) => onSignal(topicOf(kind), listener))
  return () => {
    for (const end of ends) end()
  }
}

/** Enqueues a row at the end of the transaction, due now by default. For webhooks use `enqueueDelivery`. */
export function enqueue<K extends Exclude<OutboxKind, 'webhook'>>(
  tx: Tx,
  now: Date,
  kind: K,
  payload: OutboxPayloads[K],
  dueAt = now,
): void {
  const statement = sql`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    VALUES (${kind}, ${JSON.stringify(payload)}::jsonb, ${dueAt}::timestamptz, ${now}::timestamptz)`
  insertAtEnd(tx, statement)
  wakeWorker(tx, kind)
}

/** Seconds between two mails of one kind to one account, of most kinds. */
export const noticePauseSeconds = 10 * minute

/** Returns the seconds between two mails of a kind. Who did not make a sensitive change must learn of it soon. */
export const pauseOf = (notice: NoticeName): number =>
  notice === 'sensitive_change' ? minute : noticePauseSeconds

/** Events that a merged notice describes one by one. Further events are only counted. */
const noticeItemsMax = 5
/** The same for events of sessions of which none is described yet. */
const noticeSessionsMax = 20

export type NoticeFacts = Record<string, string>

/**
 * Enqueues a notice to the address of an account. Does nothing for an unverified address, which may belong to a stranger. Only the
 * notice of a sign-up attempt is sent there. `condition` is a further condition on the account ("Duckling" d), at the end of the
 * transaction.
 */
export function enqueueNotice(
  tx: Tx,
  now: Date,
  ducklingId: string,
  notice: NoticeName,
  facts: NoticeFacts,
  condition: Sql = sql`true`,
): void {
  const kind = kindOfNotice('notice', notice)
  const isOfSession = Boolean(facts.session)
  const ofSession = JSON.stringify([{ session: facts.session ?? '' }])
  // The first event of a collection enqueues the mail. Later events are only added.
  const statement = sql`
    WITH collected AS (
      INSERT INTO "Notice" AS n ("ducklingId", "kind", "items", "count")
      SELECT d."id", ${notice}, jsonb_build_array(${JSON.stringify(facts)}::jsonb), 1 FROM "Duckling" d
      WHERE d."id" = ${ducklingId} AND d."deletedAt" IS NULL
        AND (d."emailVerifiedAt" IS NOT NULL OR ${notice} = 'signup_attempt') AND ${condition}
      ON CONFLICT ("ducklingId", "kind") DO UPDATE SET
        "count" = n."count" + 1,
        "items" = CASE
          WHEN n."count" = 0 THEN EXCLUDED."items"
          WHEN n."count" < ${noticeItemsMax}::int THEN n."items" || EXCLUDED."items"
          -- Each session must have its link "This wasn't me", also when another one made many changes before it.
          WHEN ${isOfSession} AND NOT n."items" @> ${ofSession}::jsonb AND jsonb_array_length(n."items") < ${noticeSessionsMax}::int
            THEN n."items" || EXCLUDED."items"
          ELSE n."items" END
      RETURNING "count", "mailedAt"
    )
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT ${kind}, ${JSON.stringify({ duckling_id: ducklingId, notice })}::jsonb,
      GREATEST(${now}::timestamptz, (CASE WHEN "mailedAt" > ${now}::timestamptz THEN ${now}::timestamptz ELSE "mailedAt" END)
        + ${pauseOf(notice)}::int * interval '1 second'),
      ${now}::timestamptz
    FROM collected WHERE "count" = 1`
  beforeCommit(tx, statement, {
    changed: (enqueued) => {
      if (enqueued > 0) wakeWorker(tx, kind)
    },
  })
}

/**
 * Thrown by a job that must wait until a later time, for instance because a daily limit is reached. The worker runs the job again
 * then, and does not count the attempt. A job that did a part of its work passes the payload to continue with.
 */
export class Postponed extends Error {
  constructor(
    readonly until: Date,
    readonly payload?: Record<string, string>,
  ) {
    super(`postponed until ${until.toISOString()}`)
    this.name = 'Postponed'
  }
}

/** How long a message waits that only a newer version can write: its worker may take it at any time. */
export const unknownSeconds = 60
