import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { api, send } from './api'

const signedIn = (token: string) => ({ cookies: { [cookieName()]: token } })
const requestIdOf = async () => (await send('GET /beak/system/status', {})).headers['X-Request-Id']

describe('the calls of a page request', () => {
  it('share one request id, and another page request has another one', async () => {
    const { result: ids } = await inPageRequest({}, async () => [await requestIdOf(), await requestIdOf()])
    const { result: other } = await inPageRequest({}, requestIdOf)
    expect(ids[0]).toMatch(/^[\w-]{8,}$/)
    expect(ids[1]).toBe(ids[0])
    expect(other).not.toBe(ids[0])
  })

  it('use the request id that the browser sent', async () => {
    const { result } = await inPageRequest({ headers: { 'x-request-id': 'page-7' } }, requestIdOf)
    expect(result).toBe('page-7')
  })

  it('authenticate the session once', async () => {
    const { token } = await aDuckling()
    const { result } = await inPageRequest(signedIn(token), async () => {
      const first = await api('GET /beak/profile')
      // Another request ends the session. This one has already authenticated it.
      await call('POST /beak/signout', { token, body: {} })
      return [first.ok, (await api('GET /beak/profile')).ok]
    })
    expect(result).toEqual([true, true])
    const { result: later } = await inPageRequest(signedIn(token), () => api('GET /beak/profile'))
    expect(later).toMatchObject({ ok: false, problem: { status: 401 } })
  })

  it('authenticate again after a change', async () => {
    const { token } = await aDuckling()
    const { result } = await inPageRequest(signedIn(token), async () => {
      await api('GET /beak/profile')
      await api('POST /beak/signout', { body: {} })
      return api('GET /beak/profile')
    })
    expect(result).toMatchObject({ ok: false, problem: { status: 401 } })
  })

  it('count a submission of a form once when the browser sends it again, and a changed one as another', async () => {
    const { token } = await aDuckling()
    const register = (name: string, submission: string) =>
      inPageRequest({ ...signedIn(token), headers: { 'idempotency-key': submission } }, () =>
        api('POST /beak/agent/register', {
          body: { agent_name: name, agent_type: 'assistant', capabilities: ['request:peck'] },
        }),
      )
    await register('Scout', 'submission-1')
    await register('Scout', 'submission-1')
    await register('Courier', 'submission-1')
    // Too long to be a key of our pages. The call counts as if it had none.
    await register('Planner', 'x'.repeat(300))
    const { body } = await call('GET /beak/agent/list', { token })
    const names = (body as { items: { agent_name: string }[] }).items.map((agent) => agent.agent_name)
    expect(names.sort()).toEqual(['Courier', 'Planner', 'Scout'])
  })

  it('wait for the answer of an attempt that is still running, and do the work once', async () => {
    const { token } = await aDuckling()
    const register = () =>
      inPageRequest({ ...signedIn(token), headers: { 'idempotency-key': 'submission-2' } }, () =>
        api('POST /beak/agent/register', {
          body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck'] },
        }),
      )
    const [first, second] = await Promise.all([register(), register()])
    expect([first.result.ok, second.result.ok]).toEqual([true, true])
    const { body } = await call('GET /beak/agent/list', { token })
    expect(body.items).toHaveLength(1)
  })

  it('keep the callers of two sessions apart', async () => {
    const [one, two] = [await aDuckling(), await aDuckling()]
    const { result } = await inPageRequest(signedIn(one.token), async () => [
      await api('GET /beak/profile'),
      await api('GET /beak/profile', { token: two.token }),
    ])
    expect(result).toMatchObject([{ data: { duckling_id: one.id } }, { data: { duckling_id: two.id } }])
  })

  it('send no credential with an empty token', async () => {
    const { token } = await aDuckling()
    const { result } = await inPageRequest(signedIn(token), () => api('GET /beak/profile', { token: '' }))
    expect(result).toMatchObject({ ok: false, problem: { status: 401 } })
  })
})
