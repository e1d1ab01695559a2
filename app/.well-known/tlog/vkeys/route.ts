import { z } from 'zod'
import { logVerifierKeys } from '@/lib/domain/tlog/origin'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getLogVerifierKeys',
  summary: 'Verifier keys of the transparency log',
  description:
    'One key in each line, newest first, in the format of C2SP signed-note. Save these keys. Ask us when a key changes without an announcement.',
  auth: 'none',
  limit: 'tlog',
  response: z.string(),
  media: 'text/plain; charset=utf-8',
  handle: async () => (await logVerifierKeys()).map((key) => `${key}\n`).join(''),
})
