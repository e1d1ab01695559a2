import { PrismaPg } from '@prisma/adapter-pg'
import type { Pool } from 'pg'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { openEmbedded } from './embedded/open'
import { migrate, migrationNames, versionNeededBy } from './migrate'

const opened = await Promise.all([openEmbedded({ dataDir: null }), openEmbedded({ dataDir: null })])
afterAll(() => Promise.all(opened.map(({ close }) => close())))
const run = () => Promise.all(opened.map(({ pool }) => migrate(new PrismaPg(pool))))

/** Writes what a newer version would write after it has applied a migration of that name. */
const applyUnknown = (name: string) =>
  Promise.all(
    opened.map(({ pool }) =>
      pool.query(
        `INSERT INTO _prisma_migrations ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
         VALUES (left($1, 14), 'of a newer version', now(), $1, 1)`,
        [name],
      ),
    ),
  )

it('migrates two databases at the same time, and finds nothing to do afterwards', async () => {
  expect(await run()).toEqual([migrationNames(), migrationNames()])
  expect(await run()).toEqual([[], []])
}, 120_000)

it('works on a database with migrations of a newer version, and applies its own beside them', async () => {
  await applyUnknown('29991231000000_note')
  expect(await run()).toEqual([[], []])
  const undone = '20261124170000_operator_actions'
  for (const { pool } of opened) {
    await pool.query('DROP TABLE "OperatorAction"')
    await pool.query('DELETE FROM _prisma_migrations WHERE "migration_name" = $1', [undone])
  }
  expect(await run()).toEqual([[undone], [undone]])
}, 120_000)

it('throws a problem that names the version which the database needs', async () => {
  await applyUnknown('29991231000001_drop_note_needs_12_0_3')
  await expect(run()).rejects.toThrow(StartProblem)
  await expect(run()).rejects.toThrow(
    /the migration 29991231000001_drop_note_needs_12_0_3 of a newer one: it needs version 12\.0\.3 or newer/,
  )
})

/** An adapter whose connections fail at a script, with an error that no database has. It counts the open ones. */
function failingAdapter(pool: Pool, failure: Error) {
  const adapter = new PrismaPg(pool)
  const state = { open: 0 }
  const open = adapter.connect.bind(adapter)
  const connect = async () => {
    const connection = await open()
    state.open++
    return Object.assign(connection, {
      executeScript: () => Promise.reject(failure),
      dispose: async () => void state.open--,
    })
  }
  return { adapter: Object.assign(adapter, { connect: vi.fn(connect) }), state }
}

it('throws what failed, and closes its connections', async () => {
  const { pool, close } = await openEmbedded({ dataDir: null })
  onTestFinished(close)
  const failure = new Error('the cable was cut')
  const { adapter, state } = failingAdapter(pool, failure)
  await expect(migrate(adapter)).rejects.toMatchObject({ cause: failure })
  expect(adapter.connect.mock.calls.length).toBeGreaterThan(1)
  expect(state.open).toBe(0)
}, 120_000)

it.each([
  ['20261201080000_certificate_note', null],
  ['20261201080000_drop_note_needs_0_4_0', '0.4.0'],
  ['20261201080000_needs_of_agents', null],
])('reads the version that %s needs: %s', (name, needed) => {
  expect(versionNeededBy(name)).toBe(needed)
})
