import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../prepare.mjs'
import { readLockFile } from './packages.mjs'
import { checkSbom, productionPackages } from './sbom.mjs'

interface Component {
  'bom-ref': string
  name: string
  version: string
  hashes?: object[]
  properties?: { name: string; value: string }[]
}

/** Whether a package comes in the archive of another one, whose hash covers it. */
const isBundled = ({ properties }: Component) =>
  properties?.some(({ name, value }) => name === 'cdx:npm:package:bundled' && value === 'true') ?? false

const read = () => readFileSync(join(root, 'build', 'sbom.cdx.json'), 'utf8')

// security: check-76
describe('checkSbom', () => {
  // security: supply-4
  it('writes the same bill of materials each time, with exactly the production packages', async () => {
    expect((await checkSbom()).failed).toBe(false)
    const text = read()
    expect((await checkSbom()).failed).toBe(false)
    expect(read()).toBe(text)

    const { bomFormat, components, dependencies, metadata } = JSON.parse(text)
    expect(bomFormat).toBe('CycloneDX')
    expect(metadata.component.name).toBe('beak')
    const present = components.map(({ name, version }: Component) => `${name}@${version}`)
    expect(new Set(present)).toEqual(productionPackages(readLockFile()))
    // nodemailer is a dependency of development packages too, and `npm sbom --omit=dev` omits it.
    const names = components.map(({ name }: Component) => name)
    expect(names).toEqual(expect.arrayContaining(['next', 'nodemailer', 'pg']))
    expect(names).not.toContain('vitest')

    const withoutHash = components.filter(({ hashes }: Component) => !hashes?.length)
    expect(withoutHash.filter((component: Component) => !isBundled(component))).toEqual([])
    const refs = new Set([metadata.component, ...components].map((item) => item['bom-ref']))
    for (const { ref, dependsOn } of dependencies)
      expect([ref, ...dependsOn].filter((item) => !refs.has(item))).toEqual([])
    for (const machine of ['file:', root, homedir()])
      expect(text).not.toContain(JSON.stringify(machine).slice(1, -1))
  })
})
