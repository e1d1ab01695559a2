/**
 * The embedded database has no background processes, so nobody clears away what updates and deletes leave behind, or tells
 * the planner how the tables have grown: unheeded, the outbox alone makes every poll slower day by day. A PostgreSQL server
 * looks after itself.
 */
import { db, openDatabase } from './client'

/** As PostgreSQL's own rule, with a higher floor: vacuuming holds the one connection. */
const floor = 1_000
const deadShare = 0.2
const changedShare = 0.1

/** Vacuums and analyses the tables that have changed enough for it. Does nothing on a PostgreSQL server. */
export async function vacuumEmbedded(): Promise<void> {
  const { embedded } = await openDatabase()
  if (!embedded) return
  await db().$executeRaw`SELECT pg_stat_force_next_flush()`
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT quote_ident(relname) AS "name" FROM pg_stat_user_tables
    WHERE n_dead_tup > ${floor} + ${deadShare}::float8 * n_live_tup OR n_mod_since_analyze > ${floor} + ${changedShare}::float8 * n_live_tup`
  for (const { name } of tables) await db().$executeRawUnsafe(`VACUUM (ANALYZE) ${name}`)
}
