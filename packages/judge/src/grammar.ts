/** The grammar of shells. Both files of WebAssembly are read from this computer. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Language, Parser, type Tree } from 'web-tree-sitter'

const name = 'tree-sitter-bash.wasm'

/** The bundle of the client has the grammar beside it (packages/client/bundle.mjs). */
function grammarPath(): string {
  const beside = fileURLToPath(new URL(name, import.meta.url))
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`tree-sitter-bash/${name}`)
}

export type Parse = (text: string) => Tree

/**
 * Loads the grammar, which takes about 30 ms, and returns a function that parses lines. Throws when a file is missing.
 *
 * V8 compiles WebAssembly twice, and a process waits for the second time before it ends: 0.7 s of CPU for this grammar. So the second time is
 * switched off for the process. Only command lines load the judge.
 */
export async function loadParser(): Promise<Parse> {
  setFlagsFromString('--liftoff-only')
  await Parser.init()
  const language = await Language.load(await readFile(grammarPath()))
  const parser = new Parser()
  parser.setLanguage(language)
  return (text) => {
    const tree = parser.parse(text)
    if (tree === null) throw new Error('The shell line could not be parsed.')
    return tree
  }
}
