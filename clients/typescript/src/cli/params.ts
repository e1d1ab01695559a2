/** Reads params from the command line. */
import { usageFault } from './exit'
import { readJson } from './files'

/** Returns the params of `--params <file>` and `--param name=text`. Undefined when neither is given. */
export async function readParams(
  file: string | undefined,
  named: string[],
): Promise<Record<string, unknown> | undefined> {
  if (file === undefined && named.length === 0) return undefined
  const read = file === undefined ? {} : await readJson(file)
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw usageFault('--params must be a JSON object.')
  return { ...read, ...pairsOf('param', 'text', named) }
}

/** Returns the names and values of an option `--name name=value`. */
export function pairsOf(option: string, value: string, given: string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw usageFault(`--${option} must be name=${value}, not "${text}".`)
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  return Object.fromEntries(pairs)
}
