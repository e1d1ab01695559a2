/**
 * Mailed links that work once and without signing in. The row is written in the transaction of the change that the mail
 * is about. The token is generated when the mail is sent, and only its digest is stored.
 */
import type { Tx } from '@/lib/db/client'
import type { MailLink } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { wakeWorker } from '@/lib/infrastructure/events/outbox'
import { newId } from '@/lib/kernel/secrets/ids'
import { readToken } from '@/lib/kernel/secrets/secret-token'

export type LinkKind = 'email_undo' | 'recovery_cancel' | 'disown'

export interface NewLink {
  kind: LinkKind
  ducklingId: string
  address: string
  subjectId?: string
  /** For `email_undo`: whether the undo waits for a day. */
  waits?: boolean
  createdAt: Date
  expiresAt: Date
}

/** Creates a link and enqueues its mail, to be sent at `dueAt`. */
export async function createLink(tx: Tx, link: NewLink, now: Date, dueAt = now): Promise<void> {
  const id = newId('link', now)
  await tx.mailLink.create({ data: { id, ...link } })
  await tx.outbox.create({ data: { kind: 'link', payload: { link_id: id }, dueAt, createdAt: now } })
  wakeWorker(tx, 'link')
}

/** Returns the unused link of a token, or null when it is unknown, expired or of another kind. */
export async function findLink(tx: Tx, kind: LinkKind, token: string, now: Date): Promise<MailLink | null> {
  const parts = readToken(token)
  if (parts === null) return null
  const { id, secretHash } = parts
  return tx.mailLink.findFirst({
    where: { id, tokenHash: secretHash, kind, usedAt: null, expiresAt: { gt: now } },
  })
}

/** Marks a link as used. Returns false when another request has used it. */
export async function spendLink(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { count } = await tx.mailLink.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } })
  return count === 1
}

/** Returns the addresses with a live undo link for the account, each once. */
export async function undoAddresses(tx: Tx, ducklingId: string, now: Date): Promise<string[]> {
  const links = await tx.mailLink.findMany({
    where: { kind: 'email_undo', ducklingId, usedAt: null, expiresAt: { gt: now } },
    select: { address: true },
    orderBy: { id: 'asc' },
  })
  return [...new Set(links.map(({ address }) => address))]
}

/**
 * Selects the accounts that can still take an address back with an undo link. Read it in the statement that checks whether an account
 * has the address: then no change can commit between the two checks.
 *
 * While the link is live, nobody else can use the address. Otherwise a thief who changed the address could register it
 * again, and the link would not work.
 */
export function reservationsOf(address: string, now: Date): Sql {
  return sql`
    SELECT "ducklingId" FROM "MailLink"
    WHERE "kind" = 'email_undo' AND "address" = ${address} AND "usedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`
}
