/**
 * Packs `beak dev` for `npx <address>/clients/beak-dev-<version>.tgz`. The package has everything in it, so it installs without a registry and
 * runs no install scripts. The bytes follow from the content.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { packFolder } from '../clients/packages.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Packages that read files beside them, and the files that they need. */
const copied = {
  '@electric-sql/pglite':
    /^(package\.json|LICENSE|dist\/([\w-]+\.js|[\w-]+\.wasm|pglite\.data|fs\/nodefs\.js))$/,
  '@prisma/schema-engine-wasm': /^(package\.json|schema_engine(_bg)?\.(js|wasm))$/,
  '@zxcvbn-ts/language-common': /^(package\.json|dist\/[\w./-]+\.cjs)$/,
}

/** The hash of passwords without native code: slower, and the same hashes. */
const passwordHash = {
  name: 'password hash',
  setup(/** @type {import('esbuild').PluginBuild} */ { onResolve }) {
    onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({
      path: join(root, 'scripts', 'dev-package', 'argon2.mjs'),
    }))
  },
}

function copyPackage(staging, name, wanted) {
  const source = join(root, 'node_modules', name)
  const target = join(staging, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  for (const path of readdirSync(source, { recursive: true })) {
    const plain = String(path).replaceAll('\\', '/')
    if (!wanted.test(plain)) continue
    mkdirSync(dirname(join(target, plain)), { recursive: true })
    cpSync(join(source, plain), join(target, plain))
  }
  // npm would ask a registry for the packages that a copied package names.
  const { dependencies, devDependencies, optionalDependencies, peerDependencies, scripts, ...kept } = manifest
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
  return manifest.version
}

async function bundle(staging) {
  await build({
    absWorkingDir: root,
    entryPoints: { 'beak-dev': 'packages/dev/main.ts' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outdir: join(staging, 'dist'),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    legalComments: 'linked',
    logLevel: 'error',
    plugins: [passwordHash],
    banner: {
      // Packages of the older kind load modules of Node with `require`.
      js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
    },
  })
}

function manifest(versions) {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: '@beak/dev',
    version,
    description: 'A Beak for the tests of your program, on your own computer.',
    license,
    type: 'module',
    engines,
    bin: { 'beak-dev': 'dist/beak-dev.mjs' },
    dependencies: versions,
    bundleDependencies: Object.keys(versions),
  }
}

/**
 * Writes `beak-dev-<version>.tgz` into a folder, and returns its name.
 *
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function makeDevPackage(folder) {
  const staging = mkdtempSync(join(folder, '.dev-'))
  try {
    await bundle(staging)
    const versions = Object.fromEntries(
      Object.entries(copied).map(([name, wanted]) => [name, copyPackage(staging, name, wanted)]),
    )
    // The repository has the same paths, where the code looks for them.
    for (const path of [
      'lib/db/embedded/create.mjs',
      'lib/db/embedded/worker.mjs',
      'lib/db/schema-engine-thread.mjs',
      'prisma/schema.prisma',
      'prisma/migrations',
      'LICENSE',
    ])
      cpSync(join(root, path), join(staging, path), { recursive: true })
    cpSync(join(root, 'scripts', 'dev-package', 'README.md'), join(staging, 'README.md'))
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest(versions), null, 2)}\n`)
    return String(await packFolder(staging, folder))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
