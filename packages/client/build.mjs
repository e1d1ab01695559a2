/**
 * Makes what the package adds to its sources: JavaScript with declarations in `dist`, the program of the hooks, and the license. npm runs this before
 * it packs the package or installs this folder. Inside this repository, programs import the sources, so nothing has to be built there.
 * Usage: `node build.mjs [folder]`, where `folder` is instead of `dist`.
 */
import { execFileSync } from 'node:child_process'
import {
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
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClient, install, root } from '../../scripts/prepare.mjs'
import { bundleProgram } from './bundle.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'dist'))

/** The packages that this one has in it, as folders of `dist`. */
const parts = ['decision', 'proofs']

/** Node and strict TypeScript projects need the whole name of an imported file, which the sources leave out. */
function completeImports(path) {
  const complete = (match, start, part, name) => {
    if (part === undefined && name.endsWith('.js')) return match
    const place = part === undefined ? dirname(path) : join(folder, part)
    const target = existsSync(join(place, `${name}.js`)) ? `${name}.js` : `${name}/index.js`
    if (part === undefined) return `${start}${target}`
    const way = relative(dirname(path), join(place, target)).replaceAll('\\', '/')
    return `${start}${way.startsWith('.') ? way : `./${way}`}`
  }
  const imports =
    /(\b(?:from|import)\s*\(?\s*['"])(?:@beak\/(decision|proofs)\/)?((?<=@beak\/\w+\/)[^'"]+|\.{1,2}\/[^'"]+)/g
  writeFileSync(path, readFileSync(path, 'utf8').replace(imports, complete))
}

await install({ development: false })
await generateClient()
rmSync(folder, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
mkdirSync(dirname(folder), { recursive: true })
const compiled = mkdtempSync(`${folder}-`)
execFileSync(process.execPath, [compiler, '--project', here, '--outDir', compiled], { stdio: 'inherit' })
renameSync(join(compiled, 'client', 'src'), folder)
for (const part of parts) renameSync(join(compiled, part, 'src'), join(folder, part))
rmSync(compiled, { recursive: true })
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(js|d\.ts)$/.test(entry.name)) completeImports(join(entry.parentPath, entry.name))
await bundleProgram(join(folder, 'program'))
cpSync(join(root, 'LICENSE'), join(dirname(folder), 'LICENSE'))
