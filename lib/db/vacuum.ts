/**
 * Vacuums the embedded database, which has no background processes. Without it, dead rows of the outbox make every poll slower day by
 * day, and the planner works with old statistics. A PostgreSQL server does this itself.
 */
import { db, openDatabase, Prisma } from './client'

/** The rule of PostgreSQL with a higher minimum, because a vacuum occupies the only connection. */
const minimumRows = 1_000
const deadShare = 0.2
const changedShare = 0.1

/** Vacuums and analyses the tables with many changes. Does nothing on a PostgreSQL server. */
export async function vacuumEmbedded(): Promise<void> {
  const { embedded } = await openDatabase()
  if (embedded === null) return
  await db().run`SELECT pg_stat_force_next_flush()`
  const tables = await db().rows<{ name: string }>`
    SELECT quote_ident(relname) AS "name" FROM pg_stat_user_tables
    WHERE n_dead_tup > ${minimumRows} + ${deadShare}::float8 * n_live_tup OR n_mod_since_analyze > ${minimumRows} + ${changedShare}::float8 * n_live_tup`
  await embedded.thread().unwatched(async () => {
    for (const { name } of tables) await db().run`VACUUM (ANALYZE) ${Prisma.raw(name)}`
  })
}
