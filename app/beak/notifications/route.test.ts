import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'

describe('200', () => {
  it('returns the defaults for an account that never changed them, also before the address is verified', async () => {
    for (const tier of ['T0', 'T1'] as const) {
      const { token } = await aDuckling({ tier })
      const { status, body } = await call('GET /beak/notifications', { token })
      expect(status).toBe(200)
      expect(body).toEqual({
        channels: {
          mail: { requests: 'all', reminders: true, details: true, rules: true, announces: ['high'] },
        },
        quiet_hours: null,
        time_zone: null,
        paused_until: null,
        high_breaks_quiet: false,
        shows_seen: false,
      })
    }
  })
})

describe('403', () => {
  it('returns E4007 to an agent', async () => {
    const { beakKey } = await anAgent(await aDuckling())
    const { status, body } = await call('GET /beak/notifications', { key: beakKey })
    expect([status, body.code]).toEqual([403, 'E4007'])
  })
})
