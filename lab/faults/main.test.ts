import { expect, it } from 'vitest'
import { expectNoFaults, hasServer } from './run'

// security: host-6
it.runIf(hasServer)(
  'finds nothing wrong after some faults (npm run faults)',
  { timeout: 60_000 },
  async () => {
    const output = await expectNoFaults('--seconds', '3')
    expect(output).toMatch(/^seed \d+\n/)
    expect(output).toMatch(/\n\d+ faults, 0 wrong, in \d+ s\. Repeat with: npm run faults -- --seed \d+\n$/)
  },
)
