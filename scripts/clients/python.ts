/** Generates the parts of the Python client that follow the API reference, and its synchronous half. */
import { readFileSync } from 'node:fs'
import manifest from '@/package.json'
import type { Reference } from './document'
import { methodsSource, tableSource } from './python/methods'
import { Models } from './python/models'
import { toSynchronous } from './python/synchronous'
import { fileHeader } from './python/text'

/** Folder of the package, below the root. */
export const pythonFolder = 'clients/python/src/beak'

/** Modules that are written by hand, for asynchronous callers. */
const templates = ['client', 'verifier']

/** Returns the generated files: path below the root → text. */
export function generatePython({ schemas, operations }: Reference): Map<string, string> {
  const models = new Models(schemas)
  const methods = methodsSource(operations, models)
  const version = [
    ...fileHeader('The version of the service and of this client.'),
    `VERSION = "${manifest.version}"`,
    '',
  ]
  const files = {
    _version: version.join('\n'),
    _operations: tableSource(operations, models),
    _async_methods: methods,
    _methods: toSynchronous(methods, 'Translated from _async_methods.py.'),
    models: models.source(),
    ...Object.fromEntries(templates.map((name) => [`_${name}`, synchronousModule(name)])),
  }
  return new Map(Object.entries(files).map(([name, text]) => [`${pythonFolder}/${name}.py`, text]))
}

function synchronousModule(name: string): string {
  const source = readFileSync(`${pythonFolder}/_async_${name}.py`, 'utf8')
  return toSynchronous(
    source,
    `Translated from _async_${name}.py by \`npm run clients:generate\`. Do not edit.`,
  )
}
