/** What of `beak dev` an ordinary service has: nothing. */
import { readFileSync } from 'node:fs'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { findPath } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { moveClock, readClock } from '@/lib/kernel/runtime/clock'
import { addTestAccount, isTestService } from '@/lib/kernel/service/test-service'
import { importsOf, readTree } from '@/scripts/architecture/tree'

describe('an ordinary service', () => {
  it.each(['clock', 'session', 'mails', 'trigger', 'code', ''])('has no path /beak/test/%s', (name) => {
    expect(findPath(table, `/beak/test/${name}`)).toBeNull()
  })

  // security: stranger-41
  it('does not contain the code of the test service', () => {
    const { metafile } = buildSync({
      entryPoints: ['server.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      write: false,
      metafile: true,
    })
    const files = Object.keys(metafile.inputs)
    expect(files).toContain('lib/kernel/service/test-service.ts')
    expect(files.filter((file) => file.startsWith('packages/dev/'))).toEqual([])
  })

  it('has no code that makes it a test service', () => {
    const tree = readTree('.')
    const imported = [...tree].flatMap(([path, text]) =>
      importsOf(path, text).map(({ target }) => [path, target]),
    )
    const fixture = 'lib/fixtures/dev-service.ts'
    expect(
      imported.filter(([path, target]) => target?.startsWith('packages/dev/') && path !== fixture),
    ).toEqual([])
    const callers = [...tree].filter(
      ([path, text]) => /\bstartTestService\(/.test(text) && !path.includes('.test.'),
    )
    expect(callers.map(([path]) => path)).toEqual(['lib/kernel/service/test-service.ts'])
    expect(readFileSync('server.ts', 'utf8')).not.toContain('startTestService')
  })

  // security: stranger-41
  it('cannot move its clock and has no test accounts', () => {
    const before = readClock()
    expect(isTestService()).toBe(false)
    expect(() => moveClock(new Date('2100-01-01'))).toThrow('Only a test service')
    expect(() => addTestAccount('DUCK-1')).toThrow('Only a test service')
    expect(readClock().getTime() - before.getTime()).toBeLessThan(60_000)
  })
})
