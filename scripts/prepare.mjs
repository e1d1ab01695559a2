/**
 * What has to be there before anything runs: packages, the database client, the build. Each step leaves a stamp with the
 * digest of what it was made from, so a second run skips what is done already. Plain JavaScript without a single package,
 * since it is what installs them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { basePathOf, pagesFolder } from '../lib/kernel/base-url.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const npmCommand = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const say = (line) => process.stdout.write(`${line}\n`)

/** Digest of files and folders below the root, generated ones left out. */
function digest(places) {
  const hash = createHash('sha256').update(process.version)
  const visit = (path) => {
    const full = join(root, path)
    if (
      !existsSync(full) ||
      /(^|\/)(generated|node_modules|\.next)$/.test(path) ||
      /\.test\.tsx?$/.test(path)
    )
      return
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) visit(`${path}/${name}`)
    else hash.update(path).update(readFileSync(full))
  }
  for (const place of places) visit(place)
  return hash.digest('hex')
}

function run(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.status === 0) return
  process.stderr.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`,
  )
  throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Runs a step unless its stamp says that it was made from the very same things. */
function step(title, stampPath, made, places, work) {
  const stamp = join(root, stampPath)
  const now = digest(places)
  if (existsSync(stamp) && existsSync(join(root, made)) && readFileSync(stamp, 'utf8') === now) return
  const started = Date.now()
  process.stdout.write(`${title} … `)
  work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, now)
  say(`done (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

const bin = (name) => join(root, 'node_modules', '.bin', name)

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Beak needs Node.js 20.19 or newer; this is ${process.version}.`)
}

/**
 * Installs the locked packages; no package's install script runs. `npm install` and not `npm ci`: a lock file written where
 * the registry lacked the binary of some other platform is incomplete for that platform, which `ci` refuses everywhere.
 */
export function install() {
  checkNode()
  const options = [
    '--ignore-scripts',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--loglevel=error',
  ]
  step(
    'Installing packages',
    'node_modules/.beak-installed',
    'node_modules/next/package.json',
    ['package-lock.json'],
    () => run(npmCommand, ['install', ...options]),
  )
}

/**
 * Generates the database client. `prisma generate` would download an engine it does not use: naming any executable in its
 * place keeps it from that.
 */
export function generate() {
  step(
    'Generating the database client',
    'lib/db/generated/.stamp',
    'lib/db/generated/client.ts',
    ['prisma/schema.prisma', 'package-lock.json'],
    () =>
      run(bin('prisma'), ['generate', '--schema', 'prisma/schema.prisma'], {
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      }),
  )
}

/** Compresses the built scripts and styles as far as it goes, beside each file: served as they are, for as long as they live. */
function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg|json)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const content = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(content))
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  }
}

const sources = [
  'app',
  'components',
  'lib',
  'public',
  'prisma/schema.prisma',
  'server.ts',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'package.json',
]

/** Builds the server with esbuild, and the pages for the path of `BASE_URL` with Next. */
export function build() {
  buildServer()
  buildPages(basePathOf(process.env))
}

function buildServer() {
  step('Building the server', 'build/.stamp', 'build/server.mjs', sources, () =>
    run(bin('esbuild'), [
      'server.ts',
      '--bundle',
      '--platform=node',
      '--target=node20',
      '--format=esm',
      '--packages=external',
      '--sourcemap',
      '--outfile=build/server.mjs',
      '--log-level=warning',
    ]),
  )
}

function buildPages(basePath) {
  const folder = pagesFolder(basePath)
  const title = `Building the pages${basePath === '' ? '' : ` for ${basePath}`} (half a minute the first time)`
  step(title, `${folder}/.stamp`, `${folder}/BUILD_ID`, sources, () => {
    const work = () => run(bin('next'), ['build'], { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
    if (basePath === '') work()
    else withOwnTypes(folder, work)
    compress(join(root, folder, 'static'))
  })
}

/** Keeps the names of a folder out of `tsconfig.json` and `next-env.d.ts`, which stay those of the build without a path. */
function withOwnTypes(folder, work) {
  const types = join(root, 'next-env.d.ts')
  const before = existsSync(types) ? readFileSync(types) : null
  writeFileSync(join(root, `${folder}.tsconfig.json`), '{ "extends": "../tsconfig.json" }\n')
  try {
    work()
  } finally {
    if (before === null) rmSync(types, { force: true })
    else writeFileSync(types, before)
  }
}

/** Runs `main`, and on failure says why in a line instead of with a stack. */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
