import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkSources, judgePackages, lockedPackages } from './packages.mjs'

const digest = 'sha512-AAAA'

/** Returns a lock file with one package more than the good ones. */
const lockWith = (folder: string, entry: object) => ({
  packages: {
    '': { workspaces: ['packages/client'] },
    'packages/client': {},
    'node_modules/@beak/client': { resolved: 'packages/client', link: true },
    'node_modules/zod': { version: '4.0.0', integrity: digest },
    [folder]: entry,
  },
})

// security: check-76
describe('lockedPackages', () => {
  it('names packages by their folder or alias, and leaves out the packages of this repository', () => {
    const lock = lockWith('node_modules/a/node_modules/@scope/b', { integrity: digest })
    expect(lockedPackages(lock).map(({ name }) => name)).toEqual(['zod', '@scope/b'])
  })
})

// security: check-76
describe('judgePackages', () => {
  // security: supply-1
  it('passes when every package has a digest and every install script is listed', () => {
    const lock = lockWith('node_modules/b', { integrity: digest, hasInstallScript: true })
    expect(judgePackages(lock, { b: 'Would only print a greeting.' })).toEqual({
      failed: false,
      lines: ['2 packages with a digest. 1 have an install script, all listed.'],
    })
  })

  it('accepts a bundled package without a digest', () => {
    expect(judgePackages(lockWith('node_modules/b', { inBundle: true }), {}).failed).toBe(false)
  })

  // security: supply-1, supply-2
  it.each([
    ['a lock file without packages', { packages: {} }, {}, 'no packages'],
    ['a package without a digest', lockWith('node_modules/b', {}), {}, 'node_modules/b has no digest'],
    [
      'a link to a local folder',
      lockWith('node_modules/b', { resolved: '../b', link: true }),
      {},
      'node_modules/b is a local folder',
    ],
    ['a folder outside node_modules', lockWith('vendor/b', { integrity: digest }), {}, 'vendor/b is a local'],
    [
      'an install script that is not listed',
      lockWith('node_modules/b', { integrity: digest, hasInstallScript: true }),
      {},
      'b has an install script',
    ],
    [
      'a listed package without a reason',
      lockWith('node_modules/b', { integrity: digest, hasInstallScript: true }),
      { b: '' },
      'b has an install script',
    ],
    [
      'a listed package without an install script',
      lockWith('node_modules/b', { integrity: digest }),
      { b: 'A reason.' },
      'b has no install script any more',
    ],
  ])('fails for %s', (_name, lock, allowed, fault) => {
    const { failed, lines } = judgePackages(lock, allowed)
    expect(failed).toBe(true)
    expect(lines.join('\n')).toContain(fault)
  })
})

// security: check-76
describe('checkSources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-lock-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const sources = async (entry: object) => {
    const path = join(folder, 'package-lock.json')
    const packages = { '': { name: 'beak' }, 'node_modules/zod': { version: '4.0.0', ...entry } }
    writeFileSync(path, JSON.stringify({ name: 'beak', lockfileVersion: 3, packages }))
    return (await checkSources(path)).failed
  }

  // security: supply-2
  it('passes a package of the npm registry with a SHA-512 digest', async () => {
    const resolved = 'https://registry.npmjs.org/zod/-/zod-4.0.0.tgz'
    expect(await sources({ resolved, integrity: digest })).toBe(false)
  })

  // security: supply-1, supply-2
  it.each([
    ['another host', { resolved: 'https://registry.example/zod/-/zod-4.0.0.tgz', integrity: digest }],
    ['plain http', { resolved: 'http://registry.npmjs.org/zod/-/zod-4.0.0.tgz', integrity: digest }],
    ['a Git repository', { resolved: 'git+ssh://git@github.com/x/zod.git#abc', integrity: digest }],
    ['another package', { resolved: 'https://registry.npmjs.org/b/-/b-4.0.0.tgz', integrity: digest }],
    ['a weak digest', { resolved: 'https://registry.npmjs.org/zod/-/zod-4.0.0.tgz', integrity: 'sha1-AA' }],
  ])('fails for %s', async (_name, entry) => {
    expect(await sources(entry)).toBe(true)
  })
})
