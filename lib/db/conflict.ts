/** Classifies database errors. Only this file contains their codes. */
import type { Failure } from '@/lib/kernel/request/failures'

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : null
}

interface DriverFault {
  /** The name that the adapter uses. */
  kind?: string
  /** The SQLSTATE, for instance 40P01. */
  originalCode?: string
}

/** Returns the error of the driver that is wrapped in a Prisma error. */
function driverFaultOf(error: unknown): DriverFault {
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: DriverFault } }
    cause?: DriverFault
  }
  return meta?.driverAdapterError?.cause ?? cause ?? {}
}

/** Says that another transaction has changed what this one has read. Retried, it reads the change. `what` names it for the log. */
export class Overtaken extends Error {
  constructor(what: string) {
    super(`Another transaction was faster: ${what}.`)
  }
}

/** Tells whether a transaction can be retried: it had a write conflict or a deadlock with another one, or was overtaken. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof Overtaken) return true
  const codes = [codeOf(error), driverFaultOf(error).originalCode]
  return codes.some((code) => code === 'P2034' || code === '40001' || code === '40P01')
}

/**
 * Codes of Prisma: the server cannot be reached, does not answer or closed the connection (P1001, P1002, P1008, P1017), no connection
 * became free (P2024), no transaction could start (P2028). Codes of Node and PostgreSQL for the same (57P: shutting down;
 * 57014 and 25P03: longer than `postgres.ts` allows; 25006 and 53100: the disk is full, see `embedded/worker.mjs`). Names of the adapter, which raw statements report without a code.
 */
const unreachable = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '53300',
  '57014',
  '25P03',
  '25006',
  '53100',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'DatabaseDoesNotExist',
  'DatabaseAccessDenied',
  'AuthenticationFailed',
])

/** Tells whether the database could not be reached. False when it rejected a statement. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { kind = '', originalCode = '' } = driverFaultOf(error)
  if ([codeOf(error) ?? '', kind, originalCode].some((name) => unreachable.has(name))) return true
  return (
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|The embedded database ended|not queryable|Cannot use a pool after|The database is not open/i.test(
      error.message,
    ) ||
    (error.cause !== undefined && isUnreachable(error.cause))
  )
}

/** Awaits `work`. Throws `failure` instead when it violates a unique constraint. */
export async function unique<T>(work: Promise<T>, failure: Failure): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (['P2002', '23505'].includes(codeOf(error) ?? '')) throw failure
    throw error
  }
}

/** Returns the rule of a `required` condition that was not met (migration `require_condition`), or null for another error. */
export function unmetRule(error: unknown): string | null {
  return error instanceof Error && codeOf(error) === 'BK001' ? error.message.replace(/^required: /, '') : null
}
