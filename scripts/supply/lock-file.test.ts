import { describe, expect, it } from 'vitest'
import { judgeLockFile } from './lock-file.mjs'

const integrity = `sha512-${'A'.repeat(86)}==`
const resolved = 'https://registry.npmjs.org/left/-/left-1.0.0.tgz'

/** A lock file with one package. */
const lock = (entry: object, folder = 'node_modules/left') => ({
  lockfileVersion: 3,
  packages: { '': { name: 'beak' }, [folder]: { version: '1.0.0', integrity, ...entry } },
})

describe('judgeLockFile', () => {
  it.each([
    ['a registry tarball', { resolved }],
    ['a registry tarball of a scoped package', { resolved: 'https://registry.npmjs.org/@a/b/-/b-1.0.0.tgz' }],
    ['a package without `resolved`', {}],
    ['a bundled package without a digest', { inBundle: true, integrity: undefined }],
  ])('accepts %s', (_, entry) => {
    expect(judgeLockFile(lock(entry))).toEqual({
      failed: false,
      lines: [expect.stringMatching(/^1 packages, /)],
    })
  })

  it.each([
    ['plain HTTP', { resolved: resolved.replace('https', 'http') }],
    ['git', { resolved: 'git+ssh://git@github.com/a/left.git#0123456' }],
    ['a file', { resolved: 'file:../left-1.0.0.tgz' }],
    ['another registry', { resolved: 'https://registry.example.com/left/-/left-1.0.0.tgz' }],
    [
      'a host that only starts like the registry',
      { resolved: 'https://registry.npmjs.org.example.com/left.tgz' },
    ],
    ['a user name before another host', { resolved: 'https://registry.npmjs.org@example.com/left.tgz' }],
  ])('rejects a package from %s', (_, entry) => {
    const { failed, lines } = judgeLockFile(lock(entry))
    expect(failed).toBe(true)
    expect(lines[0]).toBe(
      `node_modules/left: comes from ${entry.resolved}, not from https://registry.npmjs.org/`,
    )
  })

  it.each([
    ['no digest', undefined],
    ['a SHA-1 digest', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
  ])('rejects a package with %s', (_, digest) => {
    const { failed, lines } = judgeLockFile(lock({ resolved, integrity: digest }))
    expect(failed).toBe(true)
    expect(lines[0]).toBe('node_modules/left: has no SHA-512 digest in "integrity"')
  })

  it('rejects a link to a local folder', () => {
    expect(judgeLockFile(lock({ resolved: 'packages/left', link: true })).failed).toBe(true)
    expect(judgeLockFile(lock({}, 'packages/left')).failed).toBe(true)
  })

  it('accepts the packages of this repository, and what is installed for them', () => {
    const packages = {
      '': { workspaces: ['clients/left'] },
      'clients/left': { version: '1.0.0' },
      'node_modules/left': { resolved: 'clients/left', link: true },
      'clients/left/node_modules/right': { version: '1.0.0', integrity },
    }
    expect(judgeLockFile({ lockfileVersion: 3, packages })).toEqual({
      failed: false,
      lines: [expect.stringMatching(/^1 packages, /)],
    })
    const unnamed = { ...packages, '': { workspaces: [] } }
    expect(judgeLockFile({ lockfileVersion: 3, packages: unnamed }).failed).toBe(true)
  })

  it('rejects a lock file without packages', () => {
    expect(judgeLockFile({ lockfileVersion: 3, packages: { '': {} } }).failed).toBe(true)
    expect(judgeLockFile({ lockfileVersion: 1, dependencies: {} }).failed).toBe(true)
  })
})
