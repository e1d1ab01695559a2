import { type ErrorCode, errorCodes } from '@/lib/kernel/failures'
import { outcomesOf } from '../errors/outcomes'
import { link } from './blocks'

/** Returns every error code with its reasons. */
export function errorsText(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return [
    '# Errors',
    `Every error is a problem document (RFC 9457). Its \`code\` is one of these. Its \`reason\` is one of the names below the code: programs decide by it, because names never change and texts do. \`action\` says what to do next, and \`request_id\` identifies the error in our log. The ${link('API reference', '/docs/api')} lists the errors of each operation.`,
    ...codes.flatMap((code) => [
      `## ${code} ${errorCodes[code].title}`,
      `HTTP status ${errorCodes[code].status}`,
      outcomesOf(code)
        .map(({ reason, detail, action }) => `- \`${reason}\`: ${detail} ${action}`)
        .join('\n'),
    ]),
  ].join('\n\n')
}
