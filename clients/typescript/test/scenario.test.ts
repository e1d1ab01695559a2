/** The main job, as clients/scenario.json describes it for every client. */
import * as client from '@beak/client'
import { describe, expect, it } from 'vitest'
import scenario from '../../scenario.json'
import { runScenario, type Scenario } from './run-scenario'
import { startService } from './service'

describe('the main job', () => {
  const url = startService()

  it('works from sign-up to sign-out', async () => {
    expect(await runScenario(scenario as Scenario, url(), client)).toBe(4)
  })
})
