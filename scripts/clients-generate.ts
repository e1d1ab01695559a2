/** `npm run clients:generate`: writes the generated files of the clients from the API reference. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readReference } from './clients/document'
import { generatePython } from './clients/python'
import { generateTypescript } from './clients/typescript'

const reference = readReference()
for (const [path, text] of [...generateTypescript(reference), ...generatePython(reference)]) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
