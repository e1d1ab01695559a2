/** The guards refuse as `packages/contract/guard-answers.json` says, which the guards of the Python client give too. */
import { Beak } from '@beak/client'
import { requirePermission } from '@beak/client/adapters/next'
import { expect, it } from 'vitest'
import answers from '../../../contract/guard-answers.json'

const texts = Object.fromEntries(
  ['title', 'detail', 'action', 'message', 'request_id'].map((name) => [name, 'x']),
)
const problem = (code: string, status: number, more: object = {}) =>
  Response.json(
    { type: 'about:blank', success: false, status, code, ...texts, ...more },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

/** What Beak answers. */
const refusals: Record<string, () => Response> = {
  missing: () => problem('E5001', 500),
  invalid: () => problem('E4006', 401),
  mismatch: () => problem('E4007', 403),
  // Not asked: nobody can give a permission for such a number.
  inexact: () => problem('E5001', 500),
  consumed: () => problem('E4008', 409, { current_status: 'consumed' }),
  revoked: () => problem('E4008', 409, { current_status: 'revoked' }),
  paused: () => problem('E4008', 409, { current_status: 'paused' }),
  expired: () => problem('E4008', 409, { current_status: 'expired' }),
  unavailable: () => problem('E5002', 503, { retry_after: 2.5 }),
}

const order = { item: 'tea', amount: 2 }
const claims = Buffer.from(JSON.stringify({ action: 'place:order', target: 'DUCK-TEAL' })).toString(
  'base64url',
)

it.each(Object.entries(refusals))('answers %s as the guards of the Python client', async (code, answer) => {
  const beak = new Beak({ url: 'https://pond.example', retries: 0, fetch: async () => answer() })
  const guard = requirePermission(
    {
      beak,
      action: 'place:order',
      target: 'anyone',
      params: (request) => request.json(),
      audience: 'shop.example',
      trust: { require: 'service' },
    },
    () => Response.json('handled'),
  )
  const headers: Record<string, string> = code === 'missing' ? {} : { 'X-Peck-Grant': `a.${claims}.c` }
  const request = new Request('https://shop.example/orders', {
    method: 'POST',
    body: JSON.stringify(code === 'inexact' ? { ...order, amount: 2 ** 53 } : order),
    headers,
  })
  const response = await guard(request, {})
  const names = ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'Retry-After']
  const shown = names.flatMap((name) =>
    response.headers.has(name) ? [[name, response.headers.get(name)]] : [],
  )
  expect({
    status: response.status,
    headers: Object.fromEntries(shown),
    body: await response.json(),
  }).toEqual(answers[code as keyof typeof answers])
})
