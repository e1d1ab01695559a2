import { db, openDatabase } from '@/lib/db/client'
import { migrationNames } from '@/lib/db/migrate'
import type { Fails } from '@/lib/kernel/context'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'

const timeoutSeconds = 2
const retrySeconds = 2

async function isUpToDate(): Promise<boolean> {
  const { embedded } = await openDatabase()
  if (embedded?.thread().isReadOnly) return false
  const rows = await db().rows<{ name: string }>`
    SELECT migration_name AS "name" FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  const applied = new Set(rows.map(({ name }) => name))
  return singleton('migrations', migrationNames).every((name) => applied.has(name))
}

/** Throws `unavailable` unless the database answers, takes writes and has every migration of this build. */
export async function checkReadiness(context: Fails<'unavailable'>): Promise<void> {
  const isReady = await withTimeout(timeoutSeconds, isUpToDate()).catch(() => false)
  if (!isReady) throw context.fail('unavailable', { retry_after: retrySeconds })
}
