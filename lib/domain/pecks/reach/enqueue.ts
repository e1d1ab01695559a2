import type { Tx } from '@/lib/db/client'
import type { Channel } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { type OutboxPayloads, wakeWorker } from '@/lib/infrastructure/events/outbox'

/** Enqueues a message to a channel, with its host, so that a slow host delays no other. */
export function enqueueMessage(
  tx: Tx,
  now: Date,
  { hint }: Pick<Channel, 'hint'>,
  payload: Omit<OutboxPayloads['channel_message'], 'host'>,
): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt", "host")
      VALUES ('channel_message', ${JSON.stringify({ ...payload, host: hint })}::jsonb, ${now}::timestamptz, ${now}::timestamptz, ${hint})`,
  )
  wakeWorker(tx, 'channel_message')
}
