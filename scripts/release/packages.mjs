/** Finds the packages that a release needs: those that the built code imports, with their own dependencies, and nothing of the build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** Packages that no built file imports by name. */
const loadedByPath = [
  // server.ts gives the requests for pages to Next, which loads React.
  'react',
  'react-dom',
  // components/share-sheet.tsx reads its files.
  '@fontsource/bricolage-grotesque',
  // lib/db/embedded/worker.mjs, which is no part of a bundle.
  '@electric-sql/pglite',
  // lib/db/schema-engine-thread.mjs, too.
  '@prisma/schema-engine-wasm',
  // lib/domain/identity/sign-up.ts.
  '@zxcvbn-ts/language-common',
]

/** Files of packages that only a build, a development server or another database reads: more than half of all bytes. */
const unusedFiles = [
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /^node_modules\/next\/dist\/(esm|docs|bundle-analyzer)\//,
  /^node_modules\/next\/dist\/.*\.dev\.js$/,
  /^node_modules\/@prisma\/client\/runtime\/query_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./,
  /^node_modules\/@electric-sql\/pglite\/dist\/[\w-]+\.tar\.gz$/,
]

/** Whether a release leaves out this file of a package. */
export const isUnusedFile = (path) => unusedFiles.some((pattern) => pattern.test(path))

/** What Next uses only in a build, or for pictures that we do not have, and types. */
const unusedPackages = /^(@next\/swc-.+|sharp|@img\/.+|@types\/.+)$/

/** Returns the name of the package in an import: `hono/client` is in `hono`. */
const packageOf = (path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

/** Returns the packages that the bundles of esbuild import. */
function importedByBundles(root) {
  const { outputs } = JSON.parse(readFileSync(join(root, 'build', 'meta.json'), 'utf8'))
  return Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external && !path.startsWith('node:') && !builtinModules.includes(path))
    .map(({ path }) => packageOf(path))
}

/** Returns the packages that the pages import. Next makes a link for each. */
function importedByPages(pages) {
  const folder = join(pages, 'node_modules')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replace(/-[0-9a-f]{16}$/, ''))
}

/** Returns the folder of a package as code in `from` finds it, or null when it is not installed. */
function findPackage(root, name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return path
    if (folder === root) return null
  }
}

/** Returns the packages that a package needs at run time. An optional one may be missing, for instance the binary of another platform. */
function needsOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const optional = new Set(Object.keys(optionalDependencies ?? {}))
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  const names = [...Object.keys(dependencies ?? {}), ...optional, ...peers]
  return names.map((name) => ({ name, isOptional: optional.has(name) }))
}

/**
 * Returns the folders of all packages that the build in `root` needs, relative to `root` and sorted. Throws when one is not installed.
 *
 * @param {string} root
 * @param {string} pages the folder of the pages
 * @returns {string[]}
 */
export function packagesOf(root, pages) {
  const found = new Set()
  const add = (name, from, isOptional) => {
    if (unusedPackages.test(name)) return
    const folder = findPackage(root, name, from)
    if (folder === null && !isOptional) throw new Error(`${name} is not installed, and ${from} needs it.`)
    if (folder === null || found.has(folder)) return
    found.add(folder)
    for (const need of needsOf(folder)) add(need.name, folder, need.isOptional)
  }
  for (const name of [...importedByBundles(root), ...importedByPages(pages), ...loadedByPath])
    add(name, root, false)
  return [...found].map((folder) => relative(root, folder)).sort()
}
