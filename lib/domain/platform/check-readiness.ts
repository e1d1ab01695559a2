import { db, openDatabase } from '@/lib/db/client'
import { migrationNames } from '@/lib/db/migrate'
import { fail } from '@/lib/kernel/failures'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'

const patienceSeconds = 2
const retrySeconds = 2

async function isUpToDate(): Promise<boolean> {
  await openDatabase()
  const rows = await db().$queryRaw<{ name: string }[]>`
    SELECT migration_name AS "name" FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  const applied = new Set(rows.map(({ name }) => name))
  return singleton('migrations', migrationNames).every((name) => applied.has(name))
}

/** Returns when this process can do its work: the database answers and has our migrations. Else throws `unavailable`. */
export async function checkReadiness(): Promise<void> {
  const isReady = await withTimeout(patienceSeconds, isUpToDate()).catch(() => false)
  if (!isReady) throw fail('unavailable', { retry_after: retrySeconds })
}
