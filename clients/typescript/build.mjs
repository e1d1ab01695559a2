/**
 * Makes `dist`, the package to publish: JavaScript with declarations, and its own package.json. Inside this repository, programs import
 * the sources, so nothing has to be built there. Usage: `node build.mjs [folder]`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'dist'))

rmSync(folder, { recursive: true, force: true })
const typescript = dirname(
  createRequire(join(here, '..', '..', 'package.json')).resolve('typescript/package.json'),
)
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '--project', here, '--outDir', folder], {
  stdio: 'inherit',
})

/** Node and strict TypeScript projects need the whole name of an imported file, which the sources leave out. */
function completeImports(path) {
  const complete = (match, start, name) => {
    if (name.endsWith('.js')) return match
    const isFile = existsSync(join(dirname(path), `${name}.js`))
    return `${start}${name}${isFile ? '.js' : '/index.js'}`
  }
  const imports = /(\b(?:from|import)\s*\(?\s*['"])(\.{1,2}\/[^'"]+)/g
  writeFileSync(path, readFileSync(path, 'utf8').replace(imports, complete))
}

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(js|d\.ts)$/.test(entry.name)) completeImports(join(entry.parentPath, entry.name))

/** Returns where a source is in the package: `./src/index.ts` → `./index.js`. */
const builtPath = (path) => path.replace(/^\.\/src\//, './').replace(/\.ts$/, '.js')

/** Returns the files of an entry: for a source, its declarations and its code. */
const builtEntry = (path) =>
  path.endsWith('.ts') ? { types: builtPath(path).replace(/\.js$/, '.d.ts'), default: builtPath(path) } : path

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

// `private` keeps the sources from being published.
const {
  private: _,
  scripts: __,
  devDependencies: ___,
  ...manifest
} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  exports: mapValues(manifest.exports, builtEntry),
  ...(manifest.bin ? { bin: mapValues(manifest.bin, builtPath) } : {}),
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
for (const name of ['README.md', 'CHANGELOG.md', 'docs'])
  cpSync(join(here, name), join(folder, name), { recursive: true })
cpSync(join(here, '..', '..', 'LICENSE'), join(folder, 'LICENSE'))
