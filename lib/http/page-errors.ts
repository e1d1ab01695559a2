/**
 * What Next prints about a request becomes one line of the log. A server action whose body cannot be read is answered with 400 and not with
 * 500. Errors after the arguments of a form were checked are ours, and stay errors.
 */
import { describeError, log } from '@/lib/kernel/log'
import { currentAction } from './page-status'

/** Marks an error as one of this service. A global symbol, because Next bundles the pages separately. */
const ownFault = Symbol.for('beak.own-fault')

/** Says that an error does not come from the body of the request. Returns the error. */
export function asOwnFault(error: unknown): unknown {
  if (isError(error)) Object.defineProperty(error, ownFault, { value: true })
  return error
}

/** Sends what Next writes to the console to the log. For the built server. */
export function logConsole(): void {
  console.error = (...parts: unknown[]) => logParts('error', parts)
  console.warn = (...parts: unknown[]) => logParts('warn', parts)
}

function logParts(level: 'error' | 'warn', parts: unknown[]): void {
  const error = parts.find(isError)
  const action = error !== undefined && isBodyFault(error) ? currentAction() : null
  if (error !== undefined && action !== null) {
    // Next prints the errors of forms without scripts twice.
    if (action.refuseBody(statusOf(error)))
      log().warn({ error: error.message, stack: error.stack }, 'a server action got a malformed body')
    return
  }
  const text = parts.filter((part) => typeof part === 'string').join(' ')
  log()[level](error === undefined ? {} : { error: describeError(error) }, text)
}

/** Errors of other realms are no instances of our `Error`. */
const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]'

/**
 * Whether an error of a server action comes from its body: code of Next threw it, which also stands in chunks of the build, or the arguments
 * have another type.
 */
function isBodyFault(error: Error): boolean {
  if (ownFault in error) return false
  const [, firstFrame = ''] = /\n\s+at (.*)/.exec(error.stack ?? '') ?? []
  return ['SyntaxError', 'TypeError'].includes(error.name) || /[\\/_]next[\\/_]dist[\\/_]/.test(firstFrame)
}

/** Next gives a body that is too large the status 413. */
function statusOf(error: Error): number {
  const { statusCode } = error as { statusCode?: unknown }
  return statusCode === 413 ? 413 : 400
}
