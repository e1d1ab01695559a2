import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { installedWithScripts, judgeInstallScripts, lockedWithScripts } from './install-scripts.mjs'

const modules = join(mkdtempSync(join(tmpdir(), 'beak-modules-')), 'node_modules')
afterAll(() => rmSync(join(modules, '..'), { recursive: true }))

/** Installs a package by hand. */
function addPackage(folder: string, manifest: object, files: string[] = []): void {
  mkdirSync(join(modules, folder), { recursive: true })
  for (const file of files) writeFileSync(join(modules, folder, file), '')
  writeFileSync(join(modules, folder, 'package.json'), JSON.stringify(manifest))
}

describe('installedWithScripts', () => {
  it('finds install scripts and binding.gyp in plain, scoped and nested packages', () => {
    addPackage('pre', { name: 'pre', scripts: { preinstall: 'x' } })
    addPackage('inst', { name: 'inst', scripts: { install: 'x' } })
    addPackage('@scope/post', { name: '@scope/post', scripts: { postinstall: 'x' } })
    addPackage('plain', { name: 'plain', scripts: { test: 'x', prepare: 'x' } })
    addPackage('plain/node_modules/nested', { name: 'nested', scripts: { postinstall: 'x' } })
    addPackage('native', { name: 'native' }, ['binding.gyp'])
    addPackage('built', { name: 'built', gypfile: false }, ['binding.gyp'])
    mkdirSync(join(modules, '.bin'))
    expect(installedWithScripts(modules).sort()).toEqual(['@scope/post', 'inst', 'native', 'nested', 'pre'])
  })

  it('returns nothing for a missing folder', () => {
    expect(installedWithScripts(join(modules, 'missing'))).toEqual([])
  })
})

describe('lockedWithScripts', () => {
  it('returns real names, also of nested packages and aliases', () => {
    const packages = {
      '': { name: 'beak', hasInstallScript: true },
      'node_modules/@scope/a': { hasInstallScript: true },
      'node_modules/b/node_modules/c': { hasInstallScript: true },
      'node_modules/alias': { name: 'd', hasInstallScript: true },
      'node_modules/e': {},
    }
    expect(lockedWithScripts({ packages })).toEqual(['@scope/a', 'c', 'd'])
  })
})

describe('judgeInstallScripts', () => {
  const allowed = { esbuild: 'Links its binary.' }
  const judge = (facts: { found?: string[]; allowed?: Record<string, string>; scriptsIgnored?: boolean }) =>
    judgeInstallScripts({ found: ['esbuild', 'esbuild'], allowed, scriptsIgnored: true, ...facts })

  it('passes in one line when every script is listed', () => {
    expect(judge({})).toEqual({ failed: false, lines: [expect.stringMatching(/^1 packages have/)] })
  })

  it.each([
    [
      'a package is not listed',
      { found: ['esbuild', 'evil'] },
      'evil has an install script. Read the script',
    ],
    [
      'a package has the name of an inherited property',
      { found: ['esbuild', 'constructor'] },
      'constructor has',
    ],
    ['a listed package has no script', { found: [] }, 'esbuild has no install script any more. Remove it'],
    ['an entry has no reason', { allowed: { esbuild: ' ' } }, 'esbuild has no reason'],
    ['.npmrc lets scripts run', { scriptsIgnored: false }, '.npmrc must contain'],
  ])('fails when %s', (_, facts, line) => {
    const { failed, lines } = judge(facts)
    expect(failed).toBe(true)
    expect(lines).toEqual([expect.stringContaining(line)])
  })
})
