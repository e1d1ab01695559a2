/** The fake, compared with a real service: packages/contract/permissions.json runs on both. */
import * as client from '@beak/client'
import { FakeBeak } from '@beak/client/testing'
import { describe, expect, it } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { config } from '@/lib/kernel/config'
import permissions from '../../contract/permissions.json'
import { runSteps, type Scenario } from './run-scenario'
import { startService } from './service'

interface Actors {
  clients: Record<'agent' | 'person' | 'shop', client.Beak>
  variables: { target: string; service: string }
}

const cases = permissions.cases as { name: string; steps: Scenario['steps'] }[]
const url = startService()

async function real(): Promise<Actors> {
  const target = await aDuckling()
  const { beakKey } = await anAgent(await aDuckling())
  return {
    clients: {
      agent: new client.Beak({ url: url(), key: beakKey }),
      person: new client.Beak({ url: url(), token: target.token }),
      shop: new client.Beak({ url: url() }),
    },
    variables: { target: target.id, service: config().baseUrl },
  }
}

async function faked(): Promise<Actors> {
  const fake = new FakeBeak()
  const { id, client: person } = fake.person('teal')
  return {
    clients: { agent: fake.agent(), person, shop: fake.shop() },
    variables: { target: id, service: fake.url },
  }
}

describe.each([
  ['a real service', real],
  ['the fake', faked],
])('on %s', (_, start) => {
  it.each(cases)('$name', async ({ steps }) => {
    await runSteps({ steps }, client, await start())
  })

  it('spends one of two simultaneous uses', async () => {
    const { clients, variables } = await start()
    const { agent, person, shop } = clients
    const { peck_id } = await agent.requestPeck({ target: variables.target, action: 'book:table' })
    await person.approvePeck({ peck_id })
    const { grant_token = '' } = await agent.getPeck({ peck_id })
    const uses = await Promise.allSettled([1, 2].map(() => shop.usePermission(grant_token)))
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('names an unknown field', async () => {
    const { clients, variables } = await start()
    const question = { target: variables.target, action: 'send:email', unknown: 1 }
    const refused = { code: 'E4000', errors: [{ field: 'unknown' }] }
    await expect(clients.agent.requestPeck(question)).rejects.toMatchObject(refused)
  })
})
