/** Turns the input of a tool into the parameters of a permission. */

/**
 * Returns the input as parameters. An input that is not an object becomes `{ input }`.
 *
 * @throws TypeError when the input holds a value that JSON cannot carry, because the permission would then cover less than the tool gets
 */
export function jsonParams(input: unknown): Record<string, unknown> {
  if (!isJson(input)) throw new TypeError('The input of the tool is not JSON, so no permission can cover it.')
  return isObject(input) ? input : { input }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  // A member that is undefined is left out, as JSON.stringify does.
  return isPlain(value) && Object.values(value).every((item) => item === undefined || isJson(item))
}

/** Tells whether a value is an object literal. A Date, a Map or an instance of a class is not. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
