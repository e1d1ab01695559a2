/** The only place that knows the numbers of database errors. */
import type { Failure } from '@/lib/kernel/failures'

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : null
}

interface DriverFault {
  /** What the adapter calls it. */
  kind?: string
  /** The SQLSTATE, for instance 40P01. */
  originalCode?: string
}

/** What a driver reported inside a Prisma error. */
function driverFaultOf(error: unknown): DriverFault {
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: DriverFault } }
    cause?: DriverFault
  }
  return meta?.driverAdapterError?.cause ?? cause ?? {}
}

/** Whether the transaction lost against another and may simply be tried again: write conflict or deadlock. */
export function isRetryable(error: unknown): boolean {
  return codeOf(error) === 'P2034' || ['40001', '40P01'].includes(driverFaultOf(error).originalCode ?? '')
}

/**
 * Prisma: P1001/P1002/P1008/P1017 the server is not reachable, does not answer or closed the connection, P2024 no connection
 * came free, P2028 no transaction could start. Node and PostgreSQL: the same in their own codes (class 57P: shutting down;
 * 57014 and 25P03: it took longer than `postgres.ts` allows). The adapter: the same in its own words, which raw statements
 * report without a code.
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
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'DatabaseDoesNotExist',
  'DatabaseAccessDenied',
  'AuthenticationFailed',
])

/** Whether the database could not be reached, as opposed to having refused something. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { kind = '', originalCode = '' } = driverFaultOf(error)
  if ([codeOf(error) ?? '', kind, originalCode].some((name) => unreachable.has(name))) return true
  return (
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|PGlite is closed|The database is not open/i.test(
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
    if (codeOf(error) === 'P2002') throw failure
    throw error
  }
}
