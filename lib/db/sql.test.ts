import { describe, expect, it, vi } from 'vitest'
import { statementName } from './sql'

describe('statementName', () => {
  it('gives two texts different names also when two bundles of one process name them', async () => {
    const first = statementName('SELECT 1 AS "first bundle"')
    vi.resetModules()
    const other = await import('./sql')
    expect(other.statementName('SELECT 2 AS "second bundle"')).not.toBe(first)
    expect(other.statementName('SELECT 1 AS "first bundle"')).toBe(first)
  })
})
