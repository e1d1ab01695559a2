/** How a command ends that did not succeed: exit code, words for people, and JSON for programs. */
import { BeakAnswerError, BeakConnectionError, BeakError, type FieldError } from '../errors'
import { Exit, exitCodes } from './exit'

export interface Ending {
  exit: number
  /** The name of what went wrong: the reason of the service, or the name of the exit code. */
  reason: string
  /** The code of the service, such as `E4008`. */
  code?: string
  /** What happened. */
  detail: string
  /** What to do next. Empty when there is nothing to say. */
  action: string
  /** Faults of single fields. */
  errors?: readonly FieldError[]
}

/** What each exit code is called in JSON, unless the service named the reason. */
const reasons: Record<number, string> = {
  [exitCodes.refused]: 'refused',
  [exitCodes.usage]: 'usage',
  [exitCodes.notSignedIn]: 'not_signed_in',
  [exitCodes.notValid]: 'not_valid',
  [exitCodes.unreachable]: 'unreachable',
  [exitCodes.pending]: 'pending',
  [exitCodes.fault]: 'fault',
  [exitCodes.interrupted]: 'interrupted',
}

const endingWith = (exit: number, detail: string, action: string): Ending => ({
  exit,
  reason: reasons[exit] ?? 'refused',
  detail,
  action,
})

/** Returns how an error ends the command. */
export function endingOf(error: unknown): Ending {
  if (error instanceof Exit) return endingWith(error.code, error.message, error.hint)
  if (error instanceof BeakError) return refusalOf(error)
  if (error instanceof BeakConnectionError || error instanceof BeakAnswerError)
    return endingWith(exitCodes.unreachable, error.message, causeOf(error))
  const detail = error instanceof Error ? error.message : String(error)
  return endingWith(exitCodes.fault, detail, 'This is a fault of beak. Please report it.')
}

function refusalOf({ code, reason, status, problem, errors, action }: BeakError): Ending {
  const isSignedOut = code === 'E4001' || reason === 'session_invalid'
  const exit = isSignedOut ? exitCodes.notSignedIn : status >= 500 ? exitCodes.unreachable : exitCodes.refused
  return {
    exit,
    reason: reason ?? code,
    code,
    detail: problem.detail,
    action: isSignedOut ? 'Sign in with: beak login' : action,
    ...(errors.length > 0 ? { errors } : {}),
  }
}

function causeOf({ cause }: Error): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  return inner instanceof Error && inner.message !== '' ? inner.message : ''
}

/** Returns what people read: what happened, the faults of fields, and what to do next. */
export function linesOf({ code, reason, detail, errors = [], action }: Ending): string[] {
  const names = code === undefined ? '' : ` (${reason === code ? code : `${code} ${reason}`})`
  return [
    ...`${detail}${names}`.split('\n'),
    ...errors.map(({ field, message }) => `  ${field} ${message}`),
    ...(action === '' ? [] : [action]),
  ]
}

/** Returns what programs read. */
export function refusalJson({ exit, reason, code, detail, action, errors }: Ending): object {
  return {
    success: false,
    reason,
    ...(code === undefined ? {} : { code }),
    detail,
    ...(action === '' ? {} : { action }),
    ...(errors === undefined ? {} : { errors }),
    exit,
  }
}
