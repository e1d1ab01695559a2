/** The names that the clients and the command line give to an operation. */
import { m } from '@/lib/kernel/messages'

/** Returns `request_peck` for `requestPeck`, as the generator of the Python client does (clients/python/backend/beak_build/names.py). */
const snakeCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** Returns the names of the method for an operation in both clients. */
export function methodNames(operationId: string): { ts: string; python: string } {
  return { ts: operationId, python: snakeCase(operationId) }
}

/** Returns how an operation is called with each client, for readers who look for its name. */
export function methodLines(operationId: string): { title: string; text: string }[] {
  const { ts, python } = methodNames(operationId)
  return [
    { title: 'TypeScript', text: `beak.${ts}(…)` },
    { title: 'Python', text: `beak.${python}(…)` },
    { title: m.docs_api_command_line(), text: `beak api ${operationId}` },
  ]
}
