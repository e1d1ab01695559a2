/** The main job, as packages/contract/scenario.json describes it for every client. */
import * as client from '@beak/client'
import { FakeBeak } from '@beak/client/testing'
import { routes } from '@beak/client/testing/routes'
import { describe, expect, it } from 'vitest'
import scenario from '../../contract/scenario.json'
import { operations } from '../src/generated/operations'
import { runScenario, runStepsOf, type Scenario } from './run-scenario'
import { startService } from './service'

describe('the main job', () => {
  const url = startService()

  it('works from sign-up to sign-out', async () => {
    expect(await runScenario(scenario as Scenario, url(), client)).toBe(4)
  })

  it('goes the same way on the fake, as far as the fake has the operations', async () => {
    const fake = new FakeBeak()
    const [scout, teal] = [fake.agent('Scout'), fake.person('teal')]
    const { requester } = await scout.requestPeck({
      target_duckling_id: '@never-answers',
      action: 'see:who-asks',
      scope: 'limited',
    })
    const known = Object.entries(operations)
      .filter(([, { method, path }]) => `${method} ${path}` in routes)
      .map(([name]) => name)
    const run = runStepsOf(known, scenario as Scenario, client, {
      clients: { scout, teal: teal.client, '': fake.shop() },
      variables: { teal_id: teal.id, scout_id: requester.agent_id },
    })
    expect(await run).toBe(12)
  })
})
