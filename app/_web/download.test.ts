import { describe, expect, it } from 'vitest'
import { refuseDownload } from './download'
import type { Problem } from './problem'

const problem: Problem = {
  status: 403,
  code: 'E4009',
  reason: 'fresh_passkey_needed',
  detail: 'Needs a proof.',
  action: 'Confirm.',
}
const asked = (accept: string) => new Request('http://localhost/api/export', { headers: { accept } })
const toPage = (fields: Partial<Problem>) => {
  const answer = refuseDownload(asked('text/html,*/*'), { ...problem, ...fields }, '/account')
  const to = new URL(answer.headers.get('location') ?? '')
  return [answer.status, to.pathname, Object.fromEntries(to.searchParams)]
}

describe('a refused download', () => {
  it('returns the problem to a script', async () => {
    const answer = refuseDownload(asked('application/json'), problem, '/account')
    expect([answer.status, await answer.json()]).toEqual([403, problem])
  })

  it('redirects a browser to the page that gives the reason', () => {
    const from = '/account'
    expect(toPage({ required: 'passkey' })).toEqual([303, '/download-failed', { why: 'passkey', from }])
    expect(toPage({ status: 429, code: 'E4004', retry_after: 7 })).toEqual([
      303,
      '/download-failed',
      { why: 'limited', wait: '7', from },
    ])
    expect(toPage({ status: 404, code: 'E4005' })).toEqual([
      303,
      '/download-failed',
      { why: 'missing', from },
    ])
  })

  it('redirects a signed-out browser to sign-in, with the way back', () => {
    expect(toPage({ status: 401, code: 'E4006' })).toEqual([303, '/signin', { next: '/account' }])
  })
})
