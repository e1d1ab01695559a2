import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../prepare.mjs'
import { checkSbom, judgeSbom, reduceSbom } from './sbom.mjs'

const manifest = { name: 'beak', dependencies: { left: '1.0.0' } }
const lock = {
  packages: {
    '': { name: 'beak' },
    'node_modules/left': { version: '1.0.0' },
    'node_modules/right': { version: '2.0.0', devOptional: true },
    'node_modules/tool': { version: '3.0.0', dev: true },
  },
}

const component = (name: string, version: string) => ({
  'bom-ref': `${name}@${version}`,
  name,
  version,
  hashes: [{ alg: 'SHA-512', content: '00' }],
  properties: [],
})
const left = component('left', '1.0.0')
const right = component('right', '2.0.0')
const tool = component('tool', '3.0.0')

/** A bill of materials as npm prints it in a folder of another name. */
const bom = (components: object[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:d42021d6-d979-4356-a811-4982da92a28d',
  version: 1,
  metadata: { timestamp: '2026-11-21T19:17:53.427Z', component: { 'bom-ref': 'beak@0.1.0', name: 'folder' } },
  components,
  dependencies: [
    { ref: 'beak@0.1.0', dependsOn: ['left@1.0.0', 'tool@3.0.0'] },
    { ref: 'left@1.0.0', dependsOn: ['right@2.0.0'] },
    { ref: 'right@2.0.0', dependsOn: [] },
    { ref: 'tool@3.0.0', dependsOn: ['left@1.0.0'] },
  ],
})

const judge = (document: object) => judgeSbom(JSON.stringify(document), { manifest, lock })

describe('reduceSbom', () => {
  const reduced = reduceSbom(bom([left, right, tool]), { manifest, lock })

  it('keeps production packages and drops development ones, also from the dependencies', () => {
    expect(reduced.components).toEqual([left, right])
    expect(reduced.dependencies).toEqual([
      { ref: 'beak@0.1.0', dependsOn: ['left@1.0.0'] },
      { ref: 'left@1.0.0', dependsOn: ['right@2.0.0'] },
      { ref: 'right@2.0.0', dependsOn: [] },
    ])
  })

  it('removes time, serial number and the name of the folder', () => {
    expect(JSON.stringify(reduced)).not.toMatch(/urn:uuid|2026|folder/)
    expect(reduced.metadata).toEqual({
      component: { 'bom-ref': 'beak@0.1.0', name: 'beak' },
      properties: [{ name: 'cdx:reproducible', value: 'true' }],
    })
  })
})

describe('judgeSbom', () => {
  it('passes in one line when all production packages are in it', () => {
    expect(judge(bom([left, right]))).toEqual({
      failed: false,
      lines: ['build/sbom.cdx.json: 2 packages, every production dependency among them.'],
    })
  })

  it.each([
    ['a dependency of package.json is missing', [right], 'left is in package.json'],
    ['a package of the lock file is missing', [left], 'right@2.0.0 is missing.'],
    ['a package has another version', [left, { ...right, version: '2.0.1' }], 'right@2.0.0 is missing.'],
    ['a development package is in it', [left, right, tool], 'tool@3.0.0 is no production package.'],
    ['a package has no digest', [{ ...left, hashes: [] }, right], 'left has no digest.'],
    ['a URL is a local file', [left, { ...right, url: 'file:///x' }], 'It contains file:…'],
    [
      'a value is a path of this machine',
      [left, { ...right, path: join(root, 'node_modules') }],
      'It contains "',
    ],
  ])('fails when %s', (_, components, line) => {
    const { failed, lines } = judge(bom(components))
    expect(failed).toBe(true)
    expect(lines[0]).toContain(line)
  })

  it('fails when the document is not CycloneDX', () => {
    expect(judge({ spdxVersion: 'SPDX-2.3' }).failed).toBe(true)
  })
})

describe('checkSbom', () => {
  const read = () => readFileSync(join(root, 'build', 'sbom.cdx.json'), 'utf8')

  it('writes the same bill of materials each time, with packages that development uses too', async () => {
    expect((await checkSbom()).failed).toBe(false)
    const first = read()
    expect((await checkSbom()).failed).toBe(false)
    expect(read()).toBe(first)
    const names = JSON.parse(first).components.map((item: { name: string }) => item.name)
    // esbuild and nodemailer are dependencies of development packages too, and `npm sbom --omit=dev` omits them.
    expect(names).toEqual(expect.arrayContaining(['next', 'esbuild', 'nodemailer', 'pg']))
    expect(names).not.toContain('vitest')
  })
})
