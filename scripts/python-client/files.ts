/** The generated files of the Python client. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import manifest from '@/package.json'
import { type Document, readOperations } from './document'
import { methodsSource, tableSource } from './methods'
import { Models } from './models'
import { toSynchronous } from './synchronous'
import { fileHeader } from './text'

export const clientFolder = join('clients', 'python', 'src', 'beak')

/** Modules that are written by hand for asynchronous callers. */
const templates = ['client', 'verifier']

/** Returns each generated file of the Python client by its path from the root of the repository. */
export function pythonClientFiles(): Map<string, string> {
  const document = openapiDocument(table, manifest.version) as unknown as Document
  const operations = readOperations(document)
  const models = new Models(document)
  const methods = methodsSource(operations, models)
  const files = new Map([
    ['_version.py', [...fileHeader('The version of the service and of this client.'), `VERSION = "${manifest.version}"`, ''].join('\n')],
    ['_operations.py', tableSource(operations, models)],
    ['_async_methods.py', methods],
    ['_methods.py', toSynchronous(methods, 'Translated from _async_methods.py.')],
    ['models.py', models.source()],
  ])
  for (const name of templates) {
    const source = readFileSync(join(clientFolder, `_async_${name}.py`), 'utf8')
    const notice = `Translated from _async_${name}.py by \`npm run clients:python\`: do not edit.`
    files.set(`_${name}.py`, toSynchronous(source, notice))
  }
  return new Map([...files].map(([name, text]) => [join(clientFolder, name), text]))
}
