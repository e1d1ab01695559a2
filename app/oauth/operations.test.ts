/** What the metrics of the host and the export of an account know of connections. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { aProgram, begin, connected, type Doors, postForm, refresh } from '@/lib/fixtures/programs'
import { makeRegistry } from '@/lib/http/metrics/registry'
import { observe, observer } from '@/lib/kernel/runtime/observer'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

it('counts connections and the calls of the authorization server in the metrics, by names from the code', async () => {
  const before = observer()
  onTestFinished(() => observe(before))
  const registry = makeRegistry()
  const owner = await aDuckling()
  const { program, refresh: token } = await connected(doors, owner)
  await refresh(doors, program, token)
  await refresh(doors, program, 'x'.repeat(43))
  const refused = await begin(doors, await aProgram(doors))
  await call('POST /beak/consent/deny', { token: owner.token, body: refused.consent })
  await postForm(doors, '/oauth/revoke', { client_id: program.clientId, token })
  await doors.fetch('/.well-known/openid-configuration')
  for (const path of ['/oauth/a-secret', '/oauth/tokens', '/oauth/token/x', '/oauth/'])
    await doors.fetch(path)
  const text = await registry.metrics()
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  const calls = (operation: string, status: string) =>
    value(`beak_request_seconds_count{operation="${operation}",status="${status}"}`)
  expect([calls('oauth.token', '2xx'), calls('oauth.token', '4xx')]).toEqual([2, 2])
  expect([calls('oauth.registration', '2xx'), calls('oauth.authorization', '3xx')]).toEqual([2, 3])
  expect([calls('oauth.metadata', '2xx'), calls('none', '4xx')]).toEqual([1, 3])
  for (const state of ['connected', 'connection_refused', 'disconnected'])
    expect(value(`beak_connections_total{state="${state}"}`)).toBe(1)
  expect(value('beak_connections')).toBeGreaterThanOrEqual(0)
  expect(text).not.toContain('secret')
})

it('names the program in the export of the account, and no token', async () => {
  const owner = await aDuckling()
  const { access, agentId, program, refresh: token } = await connected(doors, owner)
  const { body } = await call('GET /beak/account/export', { token: owner.token })
  const [agent] = body.agents
  expect(agent).toMatchObject({
    agent_id: agentId,
    connection: {
      client_id: program.clientId,
      client_name: 'Otter',
      return_host: 'localhost',
      scopes: ['ask'],
    },
  })
  for (const secret of [access, token]) expect(JSON.stringify(body)).not.toContain(secret)
})
