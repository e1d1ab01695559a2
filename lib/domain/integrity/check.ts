/** Reads all data and says which rows contradict each other (contract E, Check of the data). */
import type { ClientBase, PoolClient } from 'pg'
import { pipeline } from '@/lib/db/connections'
import { readBatches } from '@/lib/db/cursor'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { queriesOn } from '@/lib/db/sql'
import { checkChains } from './chains'
import { Collected, type Contradiction } from './contradictions'
import { checkLog } from './log'
import { rules } from './rules'

export interface Checked {
  events: number
  entries: number
  rules: number
  /** Only rules that are broken. */
  contradictions: Contradiction[]
}

/** Checks one of the rules that are a query. @internal */
export async function checkRule(client: ClientBase, rule: string, query: string): Promise<Contradiction> {
  const broken = new Collected(rule)
  for await (const rows of readBatches<{ id: string }>(client, query))
    for (const { id } of rows) broken.add(id)
  return broken
}

/** Checks the rows that the open transaction of a connection sees. @internal */
export async function checkRows(client: ClientBase): Promise<Checked> {
  // The settings of connections for requests are for statements that read few rows.
  for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
    await client.query(`SET LOCAL ${setting} = on`)
  const chains = await checkChains(client)
  const log = await checkLog(client, queriesOn(pipeline(client as PoolClient)))
  const found = [...chains.contradictions, ...log.contradictions]
  for (const [rule, query] of Object.entries(rules)) found.push(await checkRule(client, rule, query))
  return {
    events: chains.events,
    entries: log.entries,
    rules: found.length,
    contradictions: found.filter(({ count }) => count > 0),
  }
}

/**
 * Checks audit logs, transparency log, single-use rows, queues and accounts as they are at one moment. Changes nothing. With the embedded
 * database, requests wait meanwhile.
 */
export function checkData(): Promise<Checked> {
  return onDedicatedConnection(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const checked = await checkRows(client)
    await client.query('COMMIT')
    return checked
  })
}
