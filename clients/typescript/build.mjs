/**
 * Makes what the package adds to its sources: JavaScript with declarations in `dist`, and the license. npm runs this before it packs the
 * package or installs this folder. Inside this repository, programs import the sources, so nothing has to be built there.
 * Usage: `node build.mjs [folder]`, where `folder` is instead of `dist`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClient, install, root } from '../../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'dist'))

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

install()
generateClient()
rmSync(folder, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
execFileSync(process.execPath, [compiler, '--project', here, '--outDir', folder], { stdio: 'inherit' })
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(js|d\.ts)$/.test(entry.name)) completeImports(join(entry.parentPath, entry.name))
cpSync(join(root, 'LICENSE'), join(dirname(folder), 'LICENSE'))
