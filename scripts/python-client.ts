/** `npm run clients:python`: writes the generated files of the Python client. A test fails when they are outdated. */
import { writeFileSync } from 'node:fs'
import { pythonClientFiles } from './python-client/files'

for (const [path, text] of pythonClientFiles()) {
  writeFileSync(path, text)
  process.stdout.write(`${path}\n`)
}
process.exit(0)
