/**
 * The software bill of materials of what `npm start` installs, to build and to run: build/sbom.cdx.json, in CycloneDX 1.5. npm writes it from the lock file.
 * The same lock file and npm give the same bytes on every machine.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { npmCommand, root } from '../prepare.mjs'
import { lockedPackages, readLockFile } from './packages.mjs'
import { runCommand } from './run-command.mjs'

const place = 'build/sbom.cdx.json'

/** Returns the production packages of a lock file as `name@version`, each once. */
export const productionPackages = (lock) =>
  new Set(
    lockedPackages(lock)
      // `dev` alone means development only. `devOptional` packages can be part of a production installation.
      .filter(({ entry }) => !entry.dev)
      .map(({ name, entry }) => `${name}@${entry.version}`),
  )

/**
 * Reduces npm's bill of materials to production, and removes what differs between machines and runs.
 *
 * `npm sbom --omit=dev` is no help: npm 11 then also omits production packages that a development package depends on.
 *
 * @param {object} bom npm's bill of materials with the development packages
 * @param {Set<string>} production the packages to keep, as `name@version`
 * @param {string} ownName the name of this package. npm takes the name of the folder.
 */
export function reduceSbom({ serialNumber: _random, ...bom }, production, ownName) {
  const { timestamp: _now, ...metadata } = bom.metadata
  const components = bom.components.filter(({ name, version }) => production.has(`${name}@${version}`))
  const kept = new Set([metadata.component, ...components].map((component) => component['bom-ref']))
  return {
    ...bom,
    metadata: {
      ...metadata,
      component: { ...metadata.component, name: ownName },
      // The name that CycloneDX registers for a document without serial number and time.
      properties: [...(metadata.properties ?? []), { name: 'cdx:reproducible', value: 'true' }],
    },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  }
}

/** Writes the bill of materials. Fails when it lacks a production package. */
export async function checkSbom() {
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const production = productionPackages(readLockFile())
  // `--include=dev` because NODE_ENV=production would omit development packages, and too much with them.
  const options = ['--sbom-type=application', '--package-lock-only', '--include=dev']
  const run = await runCommand(npmCommand, ['sbom', '--sbom-format=cyclonedx', ...options])
  if (run.code !== 0)
    return {
      failed: true,
      lines: [`npm sbom failed (exit code ${run.code}). It needs npm 10 or newer.`, run.stderr],
    }
  const bom = reduceSbom(JSON.parse(run.stdout), production, name)
  mkdirSync(dirname(join(root, place)), { recursive: true })
  writeFileSync(join(root, place), `${JSON.stringify(bom, null, 2)}\n`)
  const present = new Set(bom.components.map((component) => `${component.name}@${component.version}`))
  const missing = [...production].filter((item) => !present.has(item))
  return missing.length > 0
    ? { failed: true, lines: missing.map((item) => `${item} is missing in ${place}.`) }
    : {
        failed: false,
        lines: [`${place}: ${present.size} packages, every production dependency among them.`],
      }
}
