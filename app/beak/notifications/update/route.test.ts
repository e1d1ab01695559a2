import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'

const update = (token: string, body: object) => call('POST /beak/notifications/update', { token, body })
const settings = async (token: string) => (await call('GET /beak/notifications', { token })).body
const eventsOf = async (ducklingId: string) =>
  (
    await db().auditEvent.findMany({
      where: { ducklingId, action: 'notifications.updated' },
      orderBy: { seq: 'asc' },
    })
  ).map(({ outcome, metadata }) => [outcome, metadata])

const defaults = {
  channels: { mail: { requests: 'all', reminders: true, details: true, rules: true, announces: ['high'] } },
  quiet_hours: null,
  time_zone: null,
  paused_until: null,
  high_breaks_quiet: false,
  shows_seen: false,
  gathered: false,
}

describe('200', () => {
  it('changes the given settings, keeps the others and records the names of those that changed', async () => {
    const { id, token } = await aDuckling()
    const { status, body } = await update(token, {
      quiet_hours: { from: '22:00', to: '07:05' },
      time_zone: 'europe/berlin',
    })
    expect(status).toBe(200)
    const quiet = { quiet_hours: { from: '22:00', to: '07:05' }, time_zone: 'Europe/Berlin' }
    expect(body).toEqual({ ...defaults, ...quiet })
    const mail = { requests: 'high_risk', reminders: false, details: false, rules: false, announces: [] }
    expect((await update(token, { channels: { mail } })).body).toEqual({
      ...defaults,
      channels: { mail },
      ...quiet,
    })
    expect(await settings(token)).toEqual({ ...defaults, channels: { mail }, ...quiet })
    expect((await update(token, { quiet_hours: null })).body).toMatchObject({
      quiet_hours: null,
      time_zone: 'Europe/Berlin',
    })
    expect((await update(token, { gathered: true })).body.gathered).toBe(true)
    expect(await eventsOf(id)).toEqual([
      ['success', { fields: ['quiet_hours', 'time_zone'] }],
      [
        'success',
        { fields: ['mail_announces', 'mail_details', 'mail_reminders', 'mail_requests', 'mail_rules'] },
      ],
      ['success', { fields: ['quiet_hours'] }],
      ['success', { fields: ['gathered'] }],
    ])
  })

  it.each(['all', 'others', 'high_risk', 'none'])('accepts the choice %s', async (requests) => {
    const { token } = await aDuckling()
    const { body } = await update(token, { channels: { mail: { requests } } })
    expect(body.channels.mail).toEqual({
      requests,
      reminders: true,
      details: true,
      rules: true,
      announces: ['high'],
    })
  })

  it('returns the settings and records nothing when nothing changes', async () => {
    const { id, token } = await aDuckling()
    for (const body of [{}, { channels: {} }, { channels: { mail: {} } }, defaults])
      expect((await update(token, body)).body).toEqual(defaults)
    expect(await eventsOf(id)).toEqual([])
  })

  it('keeps every setting of 50 simultaneous changes of different settings', async () => {
    const { token } = await aDuckling()
    await update(token, { time_zone: 'UTC' })
    const changes = [
      { channels: { mail: { requests: 'others' } } },
      { channels: { mail: { reminders: false } } },
      { quiet_hours: { from: '23:00', to: '06:00' } },
    ]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => update(token, changes[index % changes.length] ?? {})),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await settings(token)).toEqual({
      ...defaults,
      channels: {
        mail: { requests: 'others', reminders: false, details: true, rules: true, announces: ['high'] },
      },
      quiet_hours: { from: '23:00', to: '06:00' },
      time_zone: 'UTC',
    })
  })

  it('is undone by the first proof of the address when another session changed it', async () => {
    const { email, token } = await aDuckling({ tier: 'T0' })
    await update(token, { channels: { mail: { requests: 'none' } } })
    const { body } = await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
    expect(await settings(body.token)).toEqual(defaults)
  })

  it('is removed when the account is closed', async () => {
    const { id, token } = await aDuckling()
    await update(token, { channels: { mail: { requests: 'none' } } })
    await call('POST /beak/account/delete', { token })
    expect(await db().notificationSettings.count({ where: { ducklingId: id } })).toBe(0)
  })
})

describe('400', () => {
  it.each([
    ['channels.mail.requests', { channels: { mail: { requests: 'some' } } }],
    ['channels.mail.reminders', { channels: { mail: { reminders: 'yes' } } }],
    ['channels', { channels: { push: {} } }],
    ['quiet_hours.from', { quiet_hours: { from: '24:00', to: '07:00' }, time_zone: 'UTC' }],
    ['quiet_hours.to', { quiet_hours: { from: '22:00', to: '7:60' }, time_zone: 'UTC' }],
    ['quiet_hours.to', { quiet_hours: { from: '22:00', to: '22:00' }, time_zone: 'UTC' }],
    ['time_zone', { quiet_hours: { from: '22:00', to: '07:00' } }],
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['time_zone', { time_zone: '+02:00' }],
    ['time_zone', { time_zone: 'A'.repeat(65) }],
    ['sounds', { sounds: true }],
  ])('returns E4000 and names %s', async (field, body) => {
    const { id, token } = await aDuckling()
    const answer = await update(token, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'E4000'])
    expect(JSON.stringify(answer.body.errors)).toContain(field)
    expect(await settings(token)).toEqual(defaults)
    expect((await eventsOf(id)).filter(([outcome]) => outcome === 'success')).toEqual([])
  })

  it('does not remove the time zone of quiet hours', async () => {
    const { token } = await aDuckling()
    await update(token, { quiet_hours: { from: '22:00', to: '07:00' }, time_zone: 'UTC' })
    const { status, body } = await update(token, { time_zone: null })
    expect([status, body.errors]).toEqual([
      400,
      [{ field: 'time_zone', message: 'is required for quiet hours' }],
    ])
  })
})

describe('403', () => {
  it('returns E4007 to an agent and records the attempt', async () => {
    const owner = await aDuckling()
    const { beakKey } = await anAgent(owner)
    const body = { channels: { mail: { requests: 'none' } } }
    const answer = await call('POST /beak/notifications/update', { key: beakKey, body })
    expect([answer.status, answer.body.code]).toEqual([403, 'E4007'])
    expect(await settings(owner.token)).toEqual(defaults)
    expect(await eventsOf(owner.id)).toMatchObject([['denied', {}]])
  })
})

describe('GET /beak/notifications', () => {
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
          gathered: false,
        })
      }
    })
  })
})
