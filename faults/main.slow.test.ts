import { it } from 'vitest'
import { expectNoFaults, hasServer } from './run'

it.runIf(hasServer)('finds nothing wrong after many faults', { timeout: 300_000 }, async () => {
  await expectNoFaults('--seconds', '60')
})
