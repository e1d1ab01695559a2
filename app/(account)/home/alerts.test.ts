import { describe, expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import { alertsOf } from './alerts'

const now = new Date('2027-01-10T00:00:00.000Z')
const agent = (key: object) =>
  [
    {
      agent_id: 'AGT-1',
      agent_name: 'Scout',
      key: { expires_at: '2027-03-01T00:00:00.000Z', retired_key_uses: 0, ...key },
      connection: null,
      guard: null,
    },
  ] as unknown as Parameters<typeof alertsOf>[0]
const session = (change: object = {}) => ({
  session_id: 'SES-2',
  current: false,
  ip: '10.0.0.1',
  user_agent: 'curl/8',
  auth_time: '2027-01-09T12:00:00.000Z',
  ...change,
})
const here = session({ session_id: 'SES-1', current: true })
type Alerted = Parameters<typeof alertsOf>
const keyAlerts = (agents: Alerted[0], at: Date) => alertsOf(agents, [], at)
const signInAlerts = (sessions: Alerted[1], at: Date) => alertsOf([], sessions, at)

describe('alertsOf', () => {
  it('has an old key that is used first and sign-ins second, before keys that expire', () => {
    const expiring = agent({ expires_at: '2027-01-20T00:00:00.000Z' })
    const used = agent({ retired_key_uses: 2 })
    const sessions = [here, session({ ip: '10.0.0.9' })] as never
    const all = alertsOf([...expiring, ...used], sessions, now)
    expect(all).toEqual([
      ...keyAlerts(used, now),
      ...signInAlerts(sessions, now),
      ...keyAlerts(expiring, now),
    ])
    expect(all).toHaveLength(3)
  })
})

describe('guardAlerts', () => {
  const guarded = (cause: string) =>
    agent({}).map((one) => ({
      ...one,
      guard: { tool: 'claude', computer: 'otter', alarm: { cause, since: '2027-01-09T14:05:00.000Z' } },
    })) as unknown as Alerted[0]

  it.each([
    ['no_session', 'Claude Code ran on otter without asking since'],
    ['unguarded', 'Claude Code ran on otter without asking since'],
    ['disconnected', 'The guard of Claude Code on otter was disconnected on'],
    ['weakened', 'Claude Code on otter only watches, and acts without asking, since'],
  ])('says first that an agent acts without asking: %s', (cause, text) => {
    const [first, ...others] = alertsOf([...agent({ retired_key_uses: 2 }), ...guarded(cause)], [], now)
    expect(withoutMarks(first?.text ?? '')).toBe(text)
    expect(first).toMatchObject({
      tone: 'bad',
      at: '2027-01-09T14:05:00.000Z',
      href: '/agents/manage/AGT-1#guard',
    })
    expect(others).toHaveLength(1)
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

  it('leaves out the session about which the band asks', () => {
    const sessions = [here, session({ ip: '10.9.9.9' })] as never
    expect(alertsOf([], sessions, now, 'SES-2')).toEqual([])
    expect(alertsOf([], sessions, now, 'SES-3')).toHaveLength(1)
  })

  it('reports a recent sign-in from another address', () => {
    const [alert] = signInAlerts([here, session({ ip: '10.9.9.9' })] as never, now)
    expect(alert?.text).toBe('New sign-in from \u2068curl\u2069 (\u206810.9.9.9\u2069)')
  })
})
