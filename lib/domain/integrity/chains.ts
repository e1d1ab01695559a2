/** Checks every audit log: a chain that has each event once and ends where its head says. */
import { chainStart } from '@beak/client/verify/audit/chain-start'
import { isIntact } from '@beak/client/verify/audit/hash'
import type { ClientBase } from 'pg'
import { readBatches } from '@/lib/db/cursor'
import type { AuditEvent } from '@/lib/db/generated/client'
import { presentEvent } from '@/lib/domain/audit/schema'
import { Collected, type Contradiction } from './contradictions'

const eventRule = 'Every event of an audit log follows the event before it and has the hash of its content'
const headRule = 'Every audit log ends with the event that its head names'

async function checkEvents(client: ClientBase): Promise<{ events: number; broken: Collected }> {
  const broken = new Collected(eventRule)
  let events = 0
  let last = { ducklingId: '', seq: 0, hash: chainStart }
  const query = 'SELECT * FROM "AuditEvent" ORDER BY "ducklingId", "seq"'
  for await (const rows of readBatches<AuditEvent>(client, query))
    for (const row of rows) {
      if (row.ducklingId !== last.ducklingId) last = { ducklingId: row.ducklingId, seq: 0, hash: chainStart }
      const event = JSON.parse(JSON.stringify(presentEvent(row)))
      if (row.seq !== last.seq + 1 || row.prevHash !== last.hash || !(await isIntact(event, row.ducklingId)))
        broken.add(`event ${row.seq} of ${row.ducklingId}`)
      last = { ducklingId: row.ducklingId, seq: row.seq, hash: row.hash }
      events++
    }
  return { events, broken }
}

/** Both sides, so that neither a head without events nor events without a head are missed. */
const wrongHeads = `
  SELECT COALESCE(c."ducklingId", e."ducklingId") AS "id" FROM "AuditChain" c
  FULL JOIN (SELECT DISTINCT ON ("ducklingId") "ducklingId", "seq", "hash", "prevHash" FROM "AuditEvent" ORDER BY "ducklingId", "seq" DESC) e
    ON e."ducklingId" = c."ducklingId"
  WHERE e."seq" IS DISTINCT FROM c."seq" OR e."hash" IS DISTINCT FROM c."hash" OR e."prevHash" IS DISTINCT FROM c."prevHash"`

async function checkHeads(client: ClientBase): Promise<Collected> {
  const wrong = new Collected(headRule)
  for await (const rows of readBatches<{ id: string }>(client, wrongHeads))
    for (const { id } of rows) wrong.add(id)
  return wrong
}

/** Reads every audit log. Works only inside a transaction. Returns the number of events. */
export async function checkChains(
  client: ClientBase,
): Promise<{ events: number; contradictions: Contradiction[] }> {
  const { events, broken } = await checkEvents(client)
  return { events, contradictions: [broken, await checkHeads(client)] }
}
