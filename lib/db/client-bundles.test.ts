/** Next bundles its own copy of `lib`. A copy of the modules, as `vi.resetModules` makes it, stands for that bundle. */
import { describe, expect, it, vi } from 'vitest'
import { aDuckling } from '@/lib/factories/ducklings'
import { db } from './client'
import { statementName } from './sql'

describe('a second bundle in the same process', () => {
  it('gives different names to different statements, and the same name to the same statement', async () => {
    const first = statementName('SELECT 1 AS "first bundle"')
    vi.resetModules()
    const other = await import('./sql')
    expect(other.statementName('SELECT 2 AS "second bundle"')).not.toBe(first)
    expect(other.statementName('SELECT 1 AS "first bundle"')).toBe(first)
  })

  it('rolls back changes through models with its transaction', async () => {
    const { id, displayName } = await aDuckling()
    vi.resetModules()
    const { transaction } = await import('./transaction')
    const failing = transaction(async (tx) => {
      await tx.duckling.update({ where: { id }, data: { displayName: 'Changed' } })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await db().duckling.findUnique({ where: { id } })).toMatchObject({ displayName })
  })
})
