/**
 * Whether the settings of connections arrive at the server. A pooler such as PgBouncer can leave them out: then nothing cancels a statement that
 * hangs, and plans that were made while a table was small read the whole table later.
 */
import type { Tx } from './client'
import { servingSettings } from './postgres'

/** Returns the warning about settings that do not arrive, or null. */
export async function settingsWarning(tx: Tx): Promise<string | null> {
  const wanted = servingSettings.map((setting) => setting.split('=') as [name: string, value: string])
  const rows = await tx.rows<{ name: string; value: string }>`
    SELECT wanted."name", current_setting(wanted."name") AS "value"
    FROM unnest(${wanted.map(([name]) => name)}::text[]) AS wanted ("name")`
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  const missing = wanted.filter(([name, value]) => found.get(name) !== value).map(([name]) => name)
  if (missing.length === 0) return null
  return `DATABASE_URL: a pooler leaves out these settings: ${missing.join(', ')}. Set them for the database, or statements that hang are never cancelled and some become slow: /docs/hosts/capacity#pgbouncer`
}
