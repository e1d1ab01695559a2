import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { snapshotPath } from '@/lib/fixtures/global-setup'
import { PrismaClient } from './generated/client'
import { embeddedAdapter, openEmbedded } from './pglite'

describe('the embedded database', () => {
  it('says so when a transaction could not be committed, and goes on', async () => {
    const pglite = await openEmbedded(null, new Blob([readFileSync(snapshotPath())]))
    await pglite.exec('CREATE TABLE "Nest" ("egg" int UNIQUE DEFERRABLE INITIALLY DEFERRED)')
    const client = new PrismaClient({ adapter: embeddedAdapter(pglite) })
    const lay = (...eggs: number[]) =>
      client.$transaction(async (tx) => {
        for (const egg of eggs) await tx.$executeRaw`INSERT INTO "Nest" VALUES (${egg}::int)`
      })
    // Two alike are refused only by COMMIT.
    await expect(lay(1, 1)).rejects.toThrow()
    await lay(2)
    expect(await client.$queryRaw`SELECT "egg" FROM "Nest"`).toEqual([{ egg: 2 }])
    await client.$disconnect()
    await pglite.close()
  })
})
