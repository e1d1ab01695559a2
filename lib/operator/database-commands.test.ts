import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, it } from 'vitest'
import { migrationNames } from '@/lib/db/migrate'
import { migratedFolder } from '@/lib/fixtures/data-folder'
import { inServer, runOperator } from '@/lib/fixtures/operator'

/** A migration that one statement undoes. */
const undone = '20261124170000_operator_actions'

async function inDatabase(folder: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = await PGlite.create(join(folder, 'db'))
  const results = await database.exec(sql)
  await database.close()
  return results.at(-1)?.rows ?? []
}

it('shows what is pending without applying it, applies it with one line each, and records that', async () => {
  const folder = await migratedFolder()
  await inDatabase(
    folder,
    `DROP TABLE "OperatorAction"; DELETE FROM _prisma_migrations WHERE "migration_name" = '${undone}'`,
  )
  const run = (...args: string[]) => runOperator({ DATA_DIR: folder }, 'migrate', ...args)
  expect(await run('--dry-run')).toEqual({
    code: 0,
    output: `Would apply ${undone}\nNothing was changed. Instances of the version before can go on running.\n`,
  })
  expect(await run()).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`^Applied ${undone}\nThe database has every migration of`)),
  })
  expect(await inDatabase(folder, 'SELECT "command", "succeeded" FROM "OperatorAction"')).toEqual([
    { command: 'migrate', succeeded: true },
  ])
}, 120_000)

it('lists every migration for a folder without a database, and makes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-migrate-'))
  const { code, output } = await runOperator({ DATA_DIR: folder }, 'migrate', '--dry-run')
  expect([code, output.match(/^Would apply /gm)?.length]).toEqual([0, migrationNames().length])
  expect(existsSync(join(folder, 'db'))).toBe(false)
})

it('finds nothing to do in a running server, which has applied all when it started', async () => {
  const run = inServer('migrate')
  for (const args of [[], ['--dry-run']])
    expect(await run(...args)).toMatchObject({
      code: 0,
      output: expect.stringContaining('The database has every migration of version'),
    })
  expect(await run('--now')).toMatchObject({
    code: 1,
    output: expect.stringContaining('no arguments but --dry-run'),
  })
})
