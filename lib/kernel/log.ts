/**
 * Structured logging: one line a request, one a failure. Bodies, headers and query strings are never logged, so no
 * secret reaches a line; texts from outside go through JSON, so no newline forges one.
 */
import pino, { type Logger } from 'pino'
import { config } from './config'
import { singleton } from './singleton'

/** The process's logger; level from `LOG_LEVEL`. */
export function log(): Logger {
  return singleton('log', () =>
    pino({
      level: config().logLevel,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    }),
  )
}

/** What an unexpected error tells the log: name, message, code and stack, of the error and of its cause. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
