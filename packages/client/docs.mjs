/** Writes the reference of this package from its comments. Usage: `node docs.mjs [folder]`. Fails when a comment has a broken link. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClient, install } from '../../scripts/prepare.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = resolve(process.argv[2] ?? join(here, 'docs'))
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const entries = Object.values(manifest.exports).flatMap(({ default: path }) =>
  path ? [path.replace('./dist/', './src/').replace(/\.js$/, '.ts')] : [],
)

await install()
await generateClient()
rmSync(folder, { recursive: true, force: true })
// TypeDoc needs the JavaScript API of TypeScript, so this package has its own, older TypeScript.
execFileSync(
  process.execPath,
  [
    'node_modules/typedoc/bin/typedoc',
    '--out',
    folder,
    '--logLevel',
    'Warn',
    ...entries.flatMap((path) => ['--entryPoints', path]),
  ],
  { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] },
)
