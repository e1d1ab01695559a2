/**
 * Structured logging: one line per request and one per failure. Bodies, headers and query strings are never logged, because
 * they contain secrets. Texts from outside are encoded as JSON, so a newline in them cannot forge a line.
 */
import pino, { type Logger } from 'pino'
import { config } from './config'
import { singleton } from './singleton'

/** Returns the logger of the process. `LOG_LEVEL` sets its level. */
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

/** Returns name, message, code and stack of an unexpected error and of its cause, for the log. */
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
