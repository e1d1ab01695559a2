/**
 * Packs the clients in `build/clients`, where the service serves them and the publisher finds them. The bytes of a package follow from its
 * content, so everybody who builds a release gets the same digests.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { storedGzip } from './stored-gzip.mjs'

const run = promisify(execFile)
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const typescript = join(root, 'packages', 'client')

export const packagesFolder = join(root, 'build', 'clients')

/** The version of the service and of all clients. */
export const version = JSON.parse(readFileSync(join(typescript, 'package.json'), 'utf8')).version

/** The name of each package, in the order of the list. */
export const fileNames = {
  typescript: `beak-client-${version}.tgz`,
  python: `beak_client-${version}-py3-none-any.whl`,
  dev: `beak-dev-${version}.tgz`,
}

/** Returns the version of Python, for instance "Python 3.11.7", or null when there is no `python3`. */
export function pythonVersion() {
  const { status, stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Packs a folder without its scripts. The bytes of the archive follow from the content of the files. Returns its name. */
export async function packFolder(source, target) {
  // Files get the modes of the user who builds otherwise.
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = mkdtempSync(join(target, '.pack-'))
  await run(npm, ['pack', source, '--ignore-scripts', '--silent', `--pack-destination=${packed}`])
  const [name = ''] = readdirSync(packed)
  writeFileSync(join(packed, name), storedGzip(gunzipSync(readFileSync(join(packed, name)))))
  renameSync(join(packed, name), join(target, name))
  rmSync(packed, { recursive: true })
  return name
}

/** Packs the TypeScript client. Builds it in a folder of its own, because tests build it in its usual place. */
async function packTypescript(target) {
  const staging = mkdtempSync(join(target, '.typescript-'))
  try {
    for (const name of ['package.json', 'README.md', 'CHANGELOG.md'])
      cpSync(join(typescript, name), join(staging, name))
    await run(process.execPath, [join(typescript, 'build.mjs'), join(staging, 'dist')])
    return await packFolder(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Packs the Python client. Without it the service starts all the same, so a failure is only printed. */
async function packPython(target) {
  rmSync(join(target, fileNames.python), { force: true })
  if (pythonVersion() === null) return
  const args = ['-B', join(root, 'packages', 'client-python', 'make.py'), 'wheel', target]
  await run('python3', args).catch((error) => process.stdout.write(`${error.message}\n`))
}

/** Writes the packages of both clients into a folder. */
export async function packClients(target) {
  mkdirSync(target, { recursive: true })
  await Promise.all([packTypescript(target), packPython(target)])
}

/** Writes the package of `beak dev` into a folder. */
export async function makeDevPackage(target) {
  mkdirSync(target, { recursive: true })
  const maker = join(root, 'scripts', 'dev-package', 'make.mjs')
  if (!existsSync(maker)) return
  const { makeDevPackage: make } = await import(pathToFileURL(maker).href)
  await make(target)
}

function describeFile(folder, kind) {
  const name = fileNames[kind]
  const bytes = readFileSync(join(folder, name))
  return { name, kind, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
}

/** Why there is no wheel, and what to do. */
const noWheel = () =>
  pythonVersion() === null
    ? 'There was no python3 on the computer that built this service. Install Python 3.9 or newer there, then start the service again.'
    : 'python3 could not build it. Run `npm run clients:pack`, which prints why.'

/**
 * Removes packages of other versions, and writes `index.json`: the packages with their digests, and why the wheel is missing.
 */
export function writeIndex(folder) {
  const kinds = Object.keys(fileNames)
  const isThere = (kind) => existsSync(join(folder, fileNames[kind]))
  for (const name of readdirSync(folder))
    if (/\.(tgz|whl|gz)$/.test(name) && !name.includes(`-${version}`)) rmSync(join(folder, name))
  const index = {
    version,
    files: kinds.filter(isThere).map((kind) => describeFile(folder, kind)),
    missing: isThere('python') ? [] : [{ kind: 'python', reason: noWheel() }],
  }
  const path = join(folder, 'index.json')
  writeFileSync(`${path}.new`, `${JSON.stringify(index, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}
