import { it } from 'vitest'
import { expectNoFaults, hasServer } from './run'

// security: host-7
it.runIf(hasServer)('finds nothing wrong after many faults and a storm', { timeout: 300_000 }, async () => {
  await expectNoFaults('--seconds', '30')
})
