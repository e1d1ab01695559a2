/** Reads the result of a query in batches, for results that do not fit into memory. */
import type { ClientBase } from 'pg'

const batch = 500

/** Reads a query with a cursor. Works only inside a transaction, and not within another cursor. */
export async function* readBatches<Row extends object>(
  client: ClientBase,
  query: string,
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${batch} FROM batches`)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await client.query('CLOSE batches')
}
