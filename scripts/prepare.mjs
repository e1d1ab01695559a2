/**
 * Prepares everything that the other scripts need: packages, the database client, the build. Each step writes a stamp with the
 * digest of its sources, so the next run skips steps whose sources are unchanged. This file imports no package, because it
 * installs them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { basePathOf, pagesFolder } from '../lib/kernel/config/base-url.mjs'
import { fileNames, packagesFolder, pythonVersion, writeIndex } from './clients/packages.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const npmCommand = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** Returns a digest of files and folders below the root, without generated files and tests. */
function digest(paths, tool = '') {
  const hash = createHash('sha256').update(process.version).update(tool)
  const visit = (path) => {
    const full = join(root, path)
    if (
      !existsSync(full) ||
      /(^|\/)(generated|node_modules|__pycache__|\.next)$/.test(path) ||
      /\.test\.tsx?$/.test(path)
    )
      return
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) visit(`${path}/${name}`)
    else hash.update(path).update(readFileSync(full))
  }
  for (const path of paths) visit(path)
  return hash.digest('hex')
}

/** Runs a program and returns its output. Throws when it fails. */
function run(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.status === 0) return result.stdout
  process.stderr.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`,
  )
  throw new Error(`${command} ${args.join(' ')} failed`)
}

/**
 * Runs a step, unless `output` exists and the stamp has the digest of the same sources. `tool`: the version of another program. Returns
 * whether it ran.
 */
function step(title, stampPath, output, sourcePaths, work, tool) {
  const stamp = join(root, stampPath)
  const now = digest(sourcePaths, tool)
  if (existsSync(stamp) && existsSync(join(root, output)) && readFileSync(stamp, 'utf8') === now) return false
  const started = Date.now()
  process.stdout.write(`${title} … `)
  work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, now)
  process.stdout.write(`done (${((Date.now() - started) / 1000).toFixed(1)} s)\n`)
  return true
}

const bin = (name) => join(root, 'node_modules', '.bin', name)

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Beak needs Node.js 20.19 or newer; this is ${process.version}.`)
}

/**
 * Installs the locked packages without their install scripts. Uses `npm install` instead of `npm ci`, because `npm ci` refuses a lock
 * file that lacks the binary of another platform. Some registries do not have these binaries.
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

/** Generates the sources that Git does not have: the database client, the sentences and parts of the TypeScript client. */
export function generate() {
  // `prisma generate` would download an engine that it does not use. It does not download when the variable names any executable.
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
  generateSentences()
  generateClient()
}

/** Compiles the sentences of pages and mails. */
export function generateSentences() {
  step(
    'Compiling the sentences',
    'lib/kernel/messages/generated/.stamp',
    'lib/kernel/messages/generated/index.js',
    ['messages', 'scripts/messages', 'package-lock.json'],
    () => run(process.execPath, ['scripts/messages/compile.mjs']),
  )
}

/** Generates the parts of the TypeScript client that follow from the operations. */
export function generateClient() {
  step(
    'Generating the TypeScript client',
    'clients/typescript/src/generated/.stamp',
    'clients/typescript/src/generated/methods.ts',
    ['clients/operations.json', 'scripts/clients', 'package-lock.json'],
    () => run(bin('tsx'), ['--tsconfig', join(root, 'tsconfig.json'), 'scripts/clients/write-typescript.ts']),
  )
}

/**
 * Marks the scripts that every page loads: React and the router. Chromium then compiles all their functions on another thread while the file
 * arrives (explicit compile hints). Without the mark it compiles them on the main thread, when the page starts: on a phone, that is half of
 * the time in which the page does not react. Other browsers ignore the comment.
 */
function hintCompilation(folder) {
  const { rootMainFiles } = JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8'))
  for (const file of rootMainFiles) {
    const path = join(folder, file)
    writeFileSync(path, `//# allFunctionsCalledOnLoad\n${readFileSync(path, 'utf8')}`)
  }
}

/** Writes a compressed copy beside each built script and style. The server sends these copies. */
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
  'approver',
  'clients/operations.json',
  'clients/typescript/package.json',
  'clients/typescript/src',
  'components',
  'lib',
  'messages',
  'scripts/messages',
  'public',
  'prisma/schema.prisma',
  'server.ts',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'package.json',
]

const clientSources = [
  'LICENSE',
  'clients/operations.json',
  ...['backend', 'src', 'make.py', 'pyproject.toml', 'README.md', 'CHANGELOG.md'].map(
    (name) => `clients/python/${name}`,
  ),
  ...['src', 'build.mjs', 'package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md'].map(
    (name) => `clients/typescript/${name}`,
  ),
  'scripts/clients',
  'package-lock.json',
]

/**
 * Returns the SHA-256 of the approver page of these sources. The server enters it in the transparency log. A process of its own, because its
 * module imports packages.
 */
function approverDigest() {
  const module = JSON.stringify(pathToFileURL(join(root, 'approver', 'build.mjs')).href)
  const program = `const { buildApprover } = await import(${module})
    process.stdout.write((await buildApprover(${JSON.stringify(root)})).digest)`
  return run(process.execPath, ['--input-type=module', '--eval', program])
}

/** Builds the server with esbuild, the pages for the path of `BASE_URL` with Next, and the packages that the service serves. */
export function build() {
  buildServer()
  buildPages(basePathOf(process.env))
  buildPackages()
}

/**
 * Builds the packages in `build/clients`, with their list. The list is written only after a package was built: a file that changed later no
 * longer has the digest of the list, and the service does not serve it.
 */
export function buildPackages() {
  const pack = (what) => process.stdout.write(run(process.execPath, ['scripts/clients/pack.mjs', what]))
  const built = (kind) => join('build', 'clients', fileNames[kind])
  const hasClients = step(
    'Packing the clients',
    'build/clients/.clients-stamp',
    built('typescript'),
    clientSources,
    () => pack('clients'),
    pythonVersion() ?? 'no Python',
  )
  const hasDev = step(
    'Packing beak dev',
    'build/clients/.dev-stamp',
    built('dev'),
    [...sources, 'dev', 'prisma/migrations', 'scripts/dev-package', 'scripts/clients'],
    () => pack('dev'),
  )
  if (hasClients || hasDev || !existsSync(join(packagesFolder, 'index.json'))) writeIndex(packagesFolder)
}

/** The programs of a release. What they share is in `build/chunks`. */
const programs = { server: 'server.ts', operator: 'scripts/operator.ts', witness: 'scripts/witness.ts' }

/** Builds the server and the command lines of the operator and the witness with esbuild. Enough for a server without pages. */
export function buildServer() {
  const serverSources = [...sources, programs.operator, programs.witness]
  step('Building the server', 'build/.stamp', 'build/server.mjs', serverSources, () => {
    rmSync(join(root, 'build', 'chunks'), { recursive: true, force: true })
    run(bin('esbuild'), [
      ...Object.entries(programs).map(([name, source]) => `${name}=${source}`),
      '--bundle',
      // What a command loads later, for instance sample data, is in files of its own, and so are the packages that only it imports.
      '--splitting',
      '--platform=node',
      '--target=node20',
      '--format=esm',
      '--packages=external',
      '--sourcemap',
      '--metafile=build/meta.json',
      '--outdir=build',
      '--out-extension:.js=.mjs',
      '--chunk-names=chunks/[name]-[hash]',
      '--log-level=warning',
      `--define:process.env.BEAK_APPROVER_PAGE=${JSON.stringify(approverDigest())}`,
    ])
  })
}

function buildPages(basePath) {
  const folder = pagesFolder(basePath)
  const title = `Building the pages${basePath === '' ? '' : ` for ${basePath}`} (a minute or two the first time)`
  step(title, `${folder}/.stamp`, `${folder}/BUILD_ID`, sources, () => {
    const env = {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      BEAK_APPROVER_PAGE: approverDigest(),
    }
    const work = () => run(bin('next'), ['build'], env)
    if (basePath === '') work()
    else withOwnTypes(folder, work)
    hintCompilation(join(root, folder))
    compress(join(root, folder, 'static'))
  })
}

/** Runs a build with a TypeScript configuration of its own, so `tsconfig.json` and `next-env.d.ts` do not change. */
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

/** Runs `main`. When it throws, prints the message without a stack and sets the exit code 1. */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
