/** `npm run clients:generate`: writes the parts of the clients that follow from the API reference, and their documentation. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readReference } from './clients/document'
import { generatePython } from './clients/python'
import { generateTypescript } from './clients/typescript'
import { typescriptDocs } from './clients/typescript-docs'

function writeFiles(files: Map<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

const reference = readReference()
writeFiles(generateTypescript(reference))
writeFiles(generatePython(reference))
// The reference of the Python client is written by Python, from its docstrings.
if (spawnSync('python3', ['-B', 'clients/python/tools/reference.py']).status !== 0)
  process.stderr.write('clients/python/docs/reference.md was not written, because there is no python3.\n')
const pages = typescriptDocs()
rmSync('clients/typescript/docs', { recursive: true, force: true })
writeFiles(pages)
