/**
 * Prepares everything that the other scripts need: packages, the database client, the build. Each step writes a stamp with the
 * digest of its sources, so the next run skips steps whose sources are unchanged. This file imports no package, because it
 * installs them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { basePathOf, pagesFolder } from '../lib/kernel/config/base-url.mjs'
import { alone } from './clients/alone.mjs'
import { fileNames, packagesFolder, pythonVersion, writeIndex } from './clients/packages.mjs'
import { findTables } from './messages/tables.mjs'
import { isDone, root, run, step } from './steps.mjs'

export { install, npmCommand } from './install.mjs'
export { root }

const bin = (name) => join(root, 'node_modules', '.bin', name)

/**
 * Generates the sources that Git does not have: the database client, the sentences and parts of the TypeScript client. The service needs no
 * `client`.
 *
 * @param {{ client?: boolean }} [options]
 */
export async function generate({ client = true } = {}) {
  await Promise.all([generateDatabaseClient(), generateSentences(), client && generateClient()])
}

function generateDatabaseClient() {
  // `prisma generate` would download an engine that it does not use. It does not download when the variable names any executable.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' }
  return step(
    {
      title: 'Generating the database client',
      seconds: 5,
      stamp: 'lib/db/generated/.stamp',
      output: 'lib/db/generated/client.ts',
      sources: ['prisma/schema.prisma', 'package-lock.json'],
    },
    () => run(bin('prisma'), ['generate', '--schema', 'prisma/schema.prisma'], env),
  )
}

/** Compiles the sentences of pages and mails. */
export function generateSentences() {
  return step(
    {
      title: 'Compiling the sentences',
      seconds: 2,
      stamp: 'lib/kernel/messages/generated/.stamp',
      output: 'lib/kernel/messages/generated/index.js',
      sources: [...findTables(root).map(({ path }) => path), 'scripts/messages', 'package-lock.json'],
    },
    () => run(process.execPath, ['scripts/messages/compile.mjs']),
  )
}

/** Generates the parts of the TypeScript client that follow from the operations. */
export function generateClient() {
  const args = ['--tsconfig', join(root, 'tsconfig.json'), 'scripts/clients/write-typescript.ts']
  return step(
    {
      title: 'Generating the TypeScript client',
      seconds: 2,
      stamp: 'packages/client/src/generated/.stamp',
      output: 'packages/client/src/generated/methods.ts',
      sources: ['packages/contract/operations.json', 'scripts/clients', 'package-lock.json'],
    },
    () => run(bin('tsx'), args),
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
async function compress(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  // Node compresses them on other threads, on all cores.
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const content = readFileSync(path)
        writeFileSync(`${path}.br`, await promisify(brotliCompress)(content))
        writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
      }),
  )
}

const sources = [
  'app',
  'packages/approver',
  'packages/contract/operations.json',
  'packages/client/package.json',
  'packages/client/src',
  'packages/decision/src',
  'packages/proofs/src',
  'components',
  'lib',
  'scripts/messages',
  'public',
  'prisma/schema.prisma',
  'server.ts',
  'proxy.tsx',
  'instrumentation.tsx',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'package.json',
]

const clientSources = [
  'LICENSE',
  'packages/contract/operations.json',
  ...['backend', 'src', 'make.py', 'pyproject.toml', 'README.md', 'CHANGELOG.md'].map(
    (name) => `packages/client-python/${name}`,
  ),
  ...['src', 'build.mjs', 'package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md'].map(
    (name) => `packages/client/${name}`,
  ),
  'packages/decision/src',
  'packages/judge/src',
  'packages/proofs/src',
  'scripts/clients',
  'package-lock.json',
]

/**
 * Returns the SHA-256 of the approver page of these sources. The server enters it in the transparency log. A process of its own, because its
 * module imports packages.
 */
function approverDigest() {
  const module = JSON.stringify(pathToFileURL(join(root, 'packages', 'approver', 'build.mjs')).href)
  const program = `const { buildApprover } = await import(${module})
    process.stdout.write((await buildApprover(${JSON.stringify(root)})).digest)`
  return run(process.execPath, ['--input-type=module', '--eval', program])
}

/** Builds the server with esbuild, the pages for the path of `BASE_URL` with Next, and the packages that the service serves. */
export async function build() {
  await buildService()
  await buildPackages()
}

/** Builds the server and the pages. The service builds the packages when somebody asks for them. */
export async function buildService() {
  const approverPage = await approverDigest()
  await Promise.all([
    buildServer(approverPage),
    buildPages(basePathOf(process.env), approverPage),
    buildDatabase(),
  ])
  // The service takes what the list names, so a list of other sources must not stay.
  if (packageSteps().some((files) => !isDone(files))) rmSync(packageList, { force: true })
}

const packageList = join(packagesFolder, 'index.json')

/** Both clients, and `beak dev`. */
function packageSteps() {
  const built = (kind) => join('build', 'clients', fileNames[kind])
  return [
    {
      what: 'clients',
      title: 'Packing the clients',
      seconds: 10,
      stamp: 'build/clients/.clients-stamp',
      output: built('typescript'),
      sources: clientSources,
      tool: pythonVersion() ?? 'no Python',
    },
    {
      what: 'dev',
      title: 'Packing beak dev',
      seconds: 5,
      stamp: 'build/clients/.dev-stamp',
      output: built('dev'),
      sources: [...sources, 'packages/dev', 'prisma/migrations', 'scripts/dev-package', 'scripts/clients'],
    },
  ]
}

/**
 * Builds the packages in `build/clients`, with their list. The list is written only after a package was built: a file that changed later no
 * longer has the digest of the list, and the service does not serve it.
 */
export async function buildPackages() {
  await alone(packagesFolder, async () => {
    let isNew = !existsSync(packageList)
    for (const { what, ...files } of packageSteps()) {
      const pack = async () =>
        process.stdout.write(await run(process.execPath, ['scripts/clients/pack.mjs', what]))
      if (await step(files, pack)) isNew = true
    }
    if (isNew) writeIndex(packagesFolder)
  })
}

/** The programs of a release. What they share is in `build/chunks`. */
const programs = { server: 'server.ts', operator: 'scripts/operator.ts', witness: 'scripts/witness.ts' }

/** Builds the server and the command lines of the operator and the witness with esbuild. Enough for a server without pages. */
export function buildServer(approverPage) {
  return step(
    {
      title: 'Building the server',
      seconds: 5,
      stamp: 'build/.stamp',
      output: 'build/server.mjs',
      sources: [...sources, programs.operator, programs.witness],
    },
    async () => {
      rmSync(join(root, 'build', 'chunks'), { recursive: true, force: true })
      await run(bin('esbuild'), [
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
        `--define:process.env.BEAK_APPROVER_PAGE=${JSON.stringify(approverPage ?? (await approverDigest()))}`,
      ])
    },
  )
}

/** Creates the files of an empty database, which each new embedded database copies: to create them takes nine seconds of a processor. */
function buildDatabase() {
  const program = 'lib/db/embedded/create.mjs'
  return step(
    {
      title: 'Creating an empty database',
      seconds: 5,
      stamp: 'build/.database-stamp',
      output: 'build/database',
      sources: [program, 'package-lock.json'],
    },
    async () => {
      const folder = join(root, 'build', 'database')
      // A start copies the folder when it exists, so it must not exist before it is whole.
      const unfinished = `${folder}.new`
      rmSync(unfinished, { recursive: true, force: true })
      mkdirSync(join(root, 'build'), { recursive: true })
      await run(process.execPath, [program, unfinished])
      rmSync(folder, { recursive: true, force: true })
      renameSync(unfinished, folder)
    },
  )
}

function buildPages(basePath, approverPage) {
  const folder = pagesFolder(basePath)
  return step(
    {
      title: `Building the pages${basePath === '' ? '' : ` for ${basePath}`}`,
      seconds: 45,
      stamp: `${folder}/.stamp`,
      output: `${folder}/BUILD_ID`,
      sources,
    },
    async () => {
      const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', BEAK_APPROVER_PAGE: approverPage }
      const work = () => run(bin('next'), ['build'], env)
      if (basePath === '') await work()
      else await withOwnTypes(folder, work)
      hintCompilation(join(root, folder))
      await compress(join(root, folder, 'static'))
    },
  )
}

/** Runs a build with a TypeScript configuration of its own, so `tsconfig.json` and `next-env.d.ts` do not change. */
async function withOwnTypes(folder, work) {
  const types = join(root, 'next-env.d.ts')
  const before = existsSync(types) ? readFileSync(types) : null
  // In a new checkout, the server is being built at the same time, and may not have made the folder yet.
  mkdirSync(dirname(join(root, folder)), { recursive: true })
  writeFileSync(join(root, `${folder}.tsconfig.json`), '{ "extends": "../tsconfig.json" }\n')
  try {
    await work()
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
