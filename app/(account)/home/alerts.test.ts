import { describe, expect, it } from 'vitest'
import { keyAlerts, signInAlerts } from './alerts'

const now = new Date('2027-01-10T00:00:00.000Z')
const agent = (key: object) =>
  [
    {
      agent_id: 'AGT-1',
      agent_name: 'Scout',
      key: { expires_at: '2027-03-01T00:00:00.000Z', retired_key_uses: 0, ...key },
    },
  ] as never
const session = (change: object = {}) => ({
  session_id: 'SES-2',
  current: false,
  ip: '10.0.0.1',
  user_agent: 'curl/8',
  auth_time: '2027-01-09T12:00:00.000Z',
  ...change,
})
const here = session({ session_id: 'SES-1', current: true })

describe('keys', () => {
  it('are nothing to worry about while they are good for long', () => {
    expect(keyAlerts(agent({}), now)).toEqual([])
  })

  it('are named two weeks before they end, and once they have', () => {
    expect(keyAlerts(agent({ expires_at: '2027-01-20T00:00:00.000Z' }), now)[0]?.text).toBe(
      ': its key ends soon',
    )
    expect(keyAlerts(agent({ expires_at: '2027-01-09T00:00:00.000Z' }), now)[0]?.text).toBe(
      ': its key has ended',
    )
  })

  it('that are dead and still tried are told of', () => {
    expect(keyAlerts(agent({ retired_key_uses: 3 }), now)[0]).toMatchObject({ tone: 'bad', name: 'Scout' })
  })
})

describe('sign-ins', () => {
  it('from here, or long ago, are nothing new', () => {
    const sessions = [here, session(), session({ ip: '10.9.9.9', auth_time: '2027-01-01T00:00:00.000Z' })]
    expect(signInAlerts(sessions as never, now)).toEqual([])
  })

  it('from elsewhere are told of', () => {
    const [alert] = signInAlerts([here, session({ ip: '10.9.9.9' })] as never, now)
    expect(alert?.text).toBe('Signed in: curl from 10.9.9.9')
  })
})
