/**
 * Bundles the program of the hooks that `beak connect` installs: one file and the grammar of shells, so that it needs no packages where it is copied
 * to. Usage: `node bundle.mjs folder`.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

/** @param {string} folder is made, and gets the files */
export async function bundleProgram(folder) {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(here, 'src', 'connect', 'program', 'main.ts')],
    outdir: folder,
    entryNames: 'beak-connect',
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // The other form of jsonc-parser calls `require` in a way that no bundler follows.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'warning',
    // Packages in CommonJS call `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  })
  cpSync(join(here, 'scorecard.json'), join(folder, 'scorecard.json'))
  const judge = createRequire(join(here, '..', 'judge', 'package.json'))
  for (const name of ['tree-sitter-bash/tree-sitter-bash.wasm', 'web-tree-sitter/web-tree-sitter.wasm'])
    cpSync(judge.resolve(name), join(folder, name.split('/').at(-1)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleProgram(resolve(process.argv[2] ?? ''))
