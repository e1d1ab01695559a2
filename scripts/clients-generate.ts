/** `npm run clients:generate`: writes the parts of the clients that follow from the API reference, and their documentation. */
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
rmSync('clients/typescript/docs', { recursive: true, force: true })
writeFiles(typescriptDocs())
