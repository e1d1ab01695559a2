/**
 * Structured logging: one line per request and one per failure. Bodies, headers and query strings are never logged, because
 * they contain secrets. Texts from outside are encoded as JSON, so a newline in them cannot forge a line.
 */
import pino, { type Logger } from 'pino'
import { config } from '@/lib/kernel/config'
import { readClock } from './clock'
import { LineBuffer } from './line-buffer'
import { singleton } from './singleton'

const warning = pino.levels.values.warn ?? 0

/**
 * Returns the logger of the process. `LOG_LEVEL` sets its level. Lines are buffered for up to 250 ms. Warnings and errors are written at
 * once, after the lines before them.
 */
export function log(): Logger {
  return singleton('log', () => {
    const lines = new LineBuffer(process.stdout)
    process.on('exit', () => lines.flush())
    return pino(
      {
        level: config().logLevel,
        base: undefined,
        timestamp: timeMember,
        formatters: { level: (label) => ({ level: label }) },
        hooks: {
          logMethod(line, write, level) {
            write.apply(this, line)
            if (level >= warning) lines.flush()
          },
        },
      },
      lines,
    )
  })
}

let latestTime = Number.NaN
let latestMember = ''

/** Returns the member `time` of a line. Formats each millisecond once: formatting costs a quarter of a line. */
function timeMember(): string {
  const now = readClock()
  if (now.getTime() !== latestTime) {
    latestTime = now.getTime()
    latestMember = `,"time":"${now.toISOString()}"`
  }
  return latestMember
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
