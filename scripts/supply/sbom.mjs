/**
 * The software bill of materials of a production installation: build/sbom.cdx.json, in CycloneDX 1.5. npm writes it from the
 * lock file. The same lock file and npm give the same bytes on every machine.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../prepare.mjs'
import { lockedPackages, readLockFile } from './lock-file.mjs'
import { runNpm } from './npm.mjs'

const place = 'build/sbom.cdx.json'

/** Returns the production packages of a lock file as `name@version`, each once. */
function productionPackages(lock) {
  return new Set(
    lockedPackages(lock)
      // `dev` alone means development only. `devOptional` packages can be part of a production installation.
      .filter(({ entry }) => !entry.dev)
      .map(({ name, entry }) => `${name}@${entry.version}`),
  )
}

/**
 * Reduces npm's bill of materials to production, and removes what differs between machines and runs.
 *
 * `npm sbom --omit=dev` is no help: npm 11 then also omits production packages that a development package depends on.
 *
 * @param {object} bom npm's bill of materials with the development packages
 * @param {{ manifest: object, lock: object }} sources our package.json and package-lock.json
 */
export function reduceSbom({ serialNumber: _random, ...bom }, { manifest, lock }) {
  const { timestamp: _now, ...metadata } = bom.metadata
  const production = productionPackages(lock)
  const dropped = new Set(
    bom.components
      .filter(({ name, version }) => !production.has(`${name}@${version}`))
      .map((component) => component['bom-ref']),
  )
  return {
    ...bom,
    metadata: {
      ...metadata,
      // npm takes the name from the folder.
      component: { ...metadata.component, name: manifest.name },
      // The name that CycloneDX registers for a document without serial number and time.
      properties: [...(metadata.properties ?? []), { name: 'cdx:reproducible', value: 'true' }],
    },
    components: bom.components.filter((component) => !dropped.has(component['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => !dropped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !dropped.has(other)) })),
  }
}

/** Returns what a path of this machine starts with, as JSON writes it. */
const machinePaths = () =>
  [root, homedir()].filter((path) => path.length > 1).map((path) => JSON.stringify(path).slice(0, -1))

/**
 * Decides on the text of a bill of materials.
 *
 * @param {string} text
 * @param {{ manifest: object, lock: object }} sources our package.json and package-lock.json
 * @returns {import('./checks.mjs').CheckResult} failed when it is not CycloneDX, when it lacks a production dependency, has
 *   a development one, or shows a path of this machine
 */
export function judgeSbom(text, { manifest, lock }) {
  const bom = JSON.parse(text)
  if (bom.bomFormat !== 'CycloneDX' || !Array.isArray(bom.components))
    return { failed: true, lines: ['npm sbom wrote no CycloneDX document. Update npm.'] }
  const expected = productionPackages(lock)
  const present = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
  const names = new Set(bom.components.map(({ name }) => name))
  const faults = [
    ...Object.keys(manifest.dependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is in package.json but not in the bill of materials. Run npm install.`),
    ...[...expected].filter((item) => !present.has(item)).map((item) => `${item} is missing.`),
    ...[...present].filter((item) => !expected.has(item)).map((item) => `${item} is no production package.`),
    ...bom.components.filter(({ hashes }) => !hashes?.length).map(({ name }) => `${name} has no digest.`),
    ...['file:', ...machinePaths()]
      .filter((path) => text.includes(path))
      .map((path) => `It contains ${path}…, a path of this machine.`),
  ]
  return faults.length > 0
    ? { failed: true, lines: faults }
    : {
        failed: false,
        lines: [`${place}: ${present.size} packages, every production dependency among them.`],
      }
}

/** Writes the bill of materials and checks it. */
export async function checkSbom() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const sources = { manifest, lock: readLockFile() }
  // `--include=dev` because NODE_ENV=production would omit development packages, and too much with them.
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--include=dev',
  ]
  const { code, stdout, stderr } = await runNpm(args, { limitMs: 60_000 })
  if (code !== 0)
    return { failed: true, lines: [`npm sbom failed (exit code ${code}). It needs npm 10 or newer.`, stderr] }
  const text = `${JSON.stringify(reduceSbom(JSON.parse(stdout), sources), null, 2)}\n`
  mkdirSync(dirname(join(root, place)), { recursive: true })
  writeFileSync(join(root, place), text)
  return judgeSbom(text, sources)
}
