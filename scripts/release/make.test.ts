import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { versionOfBuild } from './make.mjs'

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Anna', '-c', 'user.email=anna@pond.example']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

/** A folder with one commit. */
function aHistory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-version-'))
  git(folder, 'init', '--quiet')
  writeFileSync(join(folder, 'file'), 'one')
  git(folder, 'add', 'file')
  git(folder, 'commit', '--quiet', '--message=one')
  return folder
}

describe('the version of a build', () => {
  it('has the commit when the commit is no release, so that two builds do not overwrite each other', () => {
    const folder = aHistory()
    const first = versionOfBuild(folder, '0.2.0')
    expect(first).toBe(`0.2.0-g${git(folder, 'rev-parse', '--short=10', 'HEAD')}`)
    git(folder, 'commit', '--quiet', '--allow-empty', '--message=two')
    expect(versionOfBuild(folder, '0.2.0')).not.toBe(first)
  })

  it('is that of the manifest at its tag, and says when something is not committed', () => {
    const folder = aHistory()
    git(folder, 'tag', 'v0.2.0')
    expect(versionOfBuild(folder, '0.2.0')).toBe('0.2.0')
    expect(versionOfBuild(folder, '0.3.0')).toMatch(/^0\.3\.0-g[0-9a-f]{10}$/)
    writeFileSync(join(folder, 'file'), 'two')
    expect(versionOfBuild(folder, '0.2.0')).toMatch(/^0\.2\.0-g[0-9a-f]{10}-dirty$/)
  })

  it('is that of the manifest in sources without a history', () => {
    const folder = mkdtempSync(join(tmpdir(), 'beak-version-'))
    expect(versionOfBuild(folder, '0.2.0')).toBe('0.2.0')
  })
})
