/**
 * The table that `GET /beak/openapi.json` describes. That endpoint is a row of the table, so it cannot import the table: the table is set
 * here when it is loaded.
 */
import type { Table } from './serve'

let described: Table | null = null

export function describeTable(table: Table): void {
  described = table
}

export function describedTable(): Table {
  if (described === null) throw new Error('The route table is not loaded.')
  return described
}
