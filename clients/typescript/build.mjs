/**
 * Makes `dist`, the package to publish: JavaScript with declarations, and its own package.json. Inside this repository, programs import
 * the sources, so nothing has to be built there. Usage: `node build.mjs [folder]`.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'dist'))

rmSync(folder, { recursive: true, force: true })
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '--project', here, '--outDir', folder], {
  stdio: 'inherit',
})

/** Node and strict TypeScript projects need the whole name of an imported file, which the sources leave out. */
function completeImports(path) {
  const text = readFileSync(path, 'utf8')
  const complete = (_, before, name) => {
    const target = join(dirname(path), name)
    return `${before}${name}${existsSync(`${target}.js`) ? '.js' : '/index.js'}`
  }
  writeFileSync(
    path,
    text.replace(/(\bfrom\s*['"]|\bimport\(\s*['"]|\bimport\s*['"])(\.{1,2}\/[^'"]+)/g, complete),
  )
}

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(js|d\.ts)$/.test(entry.name)) completeImports(join(entry.parentPath, entry.name))

/** Returns where a source is in the package: `./src/index.ts` → `./index.js`. */
const builtPath = (path) => path.replace(/^\.\/src\//, './').replace(/\.ts$/, '.js')

const {
  private: _,
  scripts: __,
  exports: entries,
  bin,
  ...manifest
} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  exports: Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [
      name,
      path.endsWith('.ts')
        ? { types: builtPath(path).replace(/\.js$/, '.d.ts'), default: builtPath(path) }
        : path,
    ]),
  ),
  ...(bin
    ? { bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, builtPath(path)])) }
    : {}),
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
for (const name of ['README.md', 'CHANGELOG.md']) copyFileSync(join(here, name), join(folder, name))
copyFileSync(join(here, '..', '..', 'LICENSE'), join(folder, 'LICENSE'))
