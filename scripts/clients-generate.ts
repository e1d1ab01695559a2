/** `npm run clients:generate`: writes the generated files of the clients from the API reference. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readReference } from './clients/document'
import { generateTypescript } from './clients/typescript'

for (const [path, text] of generateTypescript(readReference())) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
