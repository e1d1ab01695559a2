import { describe, expect, it } from 'vitest'
import { byUrgency, keyAlerts, signInAlerts } from './alerts'

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

describe('byUrgency', () => {
  it('puts an old key that is used first and sign-ins second, before keys that expire', () => {
    const expiring = keyAlerts(agent({ expires_at: '2027-01-20T00:00:00.000Z' }), now)
    const used = keyAlerts(agent({ retired_key_uses: 2 }), now)
    const signedIn = signInAlerts([here, session({ ip: '10.0.0.9' })] as never, now)
    const all = byUrgency([...expiring, ...signedIn, ...used])
    expect(all).toEqual([...used, ...signedIn, ...expiring])
    expect(all).toHaveLength(3)
  })
})

describe('keyAlerts', () => {
  it('returns nothing for a key that is valid for more than two weeks', () => {
    expect(keyAlerts(agent({}), now)).toEqual([])
  })

  it('warns about a key two weeks before it expires, and after it has expired', () => {
    expect(keyAlerts(agent({ expires_at: '2027-01-20T00:00:00.000Z' }), now)[0]?.text).toBe(
      ': its key expires',
    )
    expect(keyAlerts(agent({ expires_at: '2027-01-09T00:00:00.000Z' }), now)[0]?.text).toBe(
      ': its key expired',
    )
  })

  it('reports uses of an old key', () => {
    expect(keyAlerts(agent({ retired_key_uses: 3 }), now)[0]).toMatchObject({
      tone: 'bad',
      name: 'Scout',
      text: ': an old key of this agent was used 3 times. Someone still has it.',
    })
  })
})

describe('signInAlerts', () => {
  it('returns nothing for sign-ins from the same device and address, or for old ones', () => {
    const sessions = [here, session(), session({ ip: '10.9.9.9', auth_time: '2027-01-01T00:00:00.000Z' })]
    expect(signInAlerts(sessions as never, now)).toEqual([])
  })

  it('reports a recent sign-in from another address', () => {
    const [alert] = signInAlerts([here, session({ ip: '10.9.9.9' })] as never, now)
    expect(alert?.text).toBe('New sign-in from curl (10.9.9.9)')
  })
})
