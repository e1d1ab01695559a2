/** Turns the input of a tool into the parameters of a permission. */
import { plainJson } from '../http/plain-json'

/**
 * Returns the input as parameters. An input that is not an object becomes `{ input }`.
 *
 * @throws TypeError when the input holds a value that JSON cannot carry, because the permission would then cover less than the tool gets
 */
export function jsonParams(input: unknown): Record<string, unknown> {
  const params = plainJson(input, 'input', { usesToJson: false })
  return isObject(params) ? params : { input: params }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
