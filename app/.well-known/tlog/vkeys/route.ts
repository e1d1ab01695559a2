import { z } from 'zod'
import { logVerifierKeys } from '@/lib/domain/tlog/origin'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Verifier keys of the transparency log',
  description:
    'One key a line, newest first, as C2SP signed-note writes them. Keep the keys that you have seen: a key that changes without notice is a reason to ask.',
  auth: 'none',
  limit: 'tlog',
  response: z.string(),
  media: 'text/plain; charset=utf-8',
  handle: async () => (await logVerifierKeys()).map((key) => `${key}\n`).join(''),
})
