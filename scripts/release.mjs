/**
 * `npm run release`: builds everything and makes `build/release/beak-<version>.tar.gz`, which runs on a host with Node.js and nothing else.
 * `--out=<folder>` names another folder.
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { basePathOf, pagesFolder } from '../lib/kernel/config/base-url.mjs'
import { build, generate, install, root, runScript } from './prepare.mjs'
import { makeRelease } from './release/make.mjs'

/** Adds an empty database, from which the first start takes less memory. */
function prepare(folder) {
  const program = join(root, 'lib', 'db', 'embedded', 'create.mjs')
  execFileSync(process.execPath, [program, join(folder, 'build', 'database')])
}

await runScript(() => {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'build', 'release') } },
  })
  const out = resolve(values.out)
  process.chdir(root)
  install()
  generate()
  build()
  const basePath = basePathOf(process.env)
  const { archive, digest, size } = makeRelease({
    root,
    out,
    pages: pagesFolder(basePath),
    basePath,
    prepare,
  })
  process.stdout.write(`${archive} (${Math.round(size / 1e6)} MB)\nsha256 ${digest}\n`)
})
