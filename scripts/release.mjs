/**
 * `npm run release`: builds everything and makes `build/release/beak-<version>.tar.gz`, which runs on a host with Node.js and nothing else.
 * `--out=<folder>` names another folder.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { basePathOf, pagesFolder } from '../lib/kernel/config/base-url.mjs'
import { build, generate, install, root, runScript } from './prepare.mjs'
import { makeRelease } from './release/make.mjs'

await runScript(async () => {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'build', 'release') } },
  })
  const out = resolve(values.out)
  process.chdir(root)
  await install({ development: false })
  await generate()
  await build()
  const basePath = basePathOf(process.env)
  const { archive, digest, size } = makeRelease({ root, out, pages: pagesFolder(basePath), basePath })
  process.stdout.write(`${archive} (${Math.round(size / 1e6)} MB)\nsha256 ${digest}\n`)
})
