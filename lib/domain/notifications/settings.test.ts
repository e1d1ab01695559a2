import { describe, expect, it } from 'vitest'
import { minuteOfDay } from '@/lib/kernel/text/time-zone'
import {
  type Announced,
  afterQuiet,
  announcedFrom,
  type QuietHours,
  type SettingsColumns,
  startOfQuiet,
} from './settings'

const berlin: QuietHours = { from: 22 * 60, to: 7 * 60, timeZone: 'Europe/Berlin' }
const end = (at: string, quiet: QuietHours = berlin) => afterQuiet(new Date(at), quiet).toISOString()
const start = (at: string, quiet: QuietHours = berlin) => startOfQuiet(new Date(at), quiet).toISOString()

describe('the end of quiet hours', () => {
  it('is the given time outside of them, and without quiet hours', () => {
    expect(end('2026-11-22T20:59:59.999Z')).toBe('2026-11-22T20:59:59.999Z')
    expect(end('2026-11-23T06:00:00.000Z')).toBe('2026-11-23T06:00:00.000Z')
    const at = new Date('2026-11-22T23:00:00.000Z')
    expect(afterQuiet(at, null)).toBe(at)
  })

  it('is the next morning in the time zone of the account', () => {
    expect(end('2026-11-22T21:00:00.000Z')).toBe('2026-11-23T06:00:00.000Z')
    expect(end('2026-11-23T02:34:56.789Z')).toBe('2026-11-23T06:00:00.000Z')
    expect(end('2026-11-22T21:00:00.000Z', { ...berlin, timeZone: 'Asia/Kolkata' })).toBe(
      '2026-11-23T01:30:00.000Z',
    )
  })

  it('includes only a part of the day when it does not include midnight', () => {
    const lunch = { from: 12 * 60, to: 13 * 60 + 30, timeZone: 'Europe/Berlin' }
    expect(end('2026-11-22T11:00:00.000Z', lunch)).toBe('2026-11-22T12:30:00.000Z')
    expect(end('2026-11-22T10:59:59.000Z', lunch)).toBe('2026-11-22T10:59:59.000Z')
    expect(end('2026-11-22T23:30:00.000Z', lunch)).toBe('2026-11-22T23:30:00.000Z')
  })

  it('stays at the same time of day when the clock is changed during the night', () => {
    // On 29 March 2026 the clock of Berlin skips 2:00 to 3:00, on 25 October 2026 it repeats that hour.
    expect(end('2026-03-28T22:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(end('2026-10-24T21:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z')
  })

  it('is the first time after the change when the clock skips the end', () => {
    expect(end('2026-03-28T22:00:00.000Z', { ...berlin, to: 150 })).toBe('2026-03-29T01:00:00.000Z')
  })

  it('is the first of two equal times of day when the clock repeats the end', () => {
    expect(end('2026-10-24T21:00:00.000Z', { ...berlin, to: 150 })).toBe('2026-10-25T00:30:00.000Z')
  })

  it('returns the same as a check of every minute, in zones with half hours and at every clock change', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']
    const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']
    for (const timeZone of zones)
      for (const day of changes)
        for (const [from, to] of [
          [22 * 60, 7 * 60],
          [60, 150],
          [23 * 60 + 59, 1],
        ] as const)
          for (let hour = -12; hour < 36; hour += 5) {
            const at = new Date(Date.parse(`${day}T00:17:00Z`) + hour * 3_600_000)
            expect(afterQuiet(at, { from, to, timeZone })).toEqual(walk(at, { from, to, timeZone }))
          }
  })
})

/** Returns the first minute that is not quiet, looking at each. */
function walk(at: Date, { from, to, timeZone }: QuietHours): Date {
  for (let minute = 0; ; minute++) {
    const next = new Date(at.getTime() + minute * 60_000)
    const time = minuteOfDay(next, timeZone)
    const isQuiet = from < to ? from <= time && time < to : time >= from || time < to
    if (!isQuiet) return next
  }
}

describe('the start of quiet hours', () => {
  it('is the evening before, even when the clock is changed during the night', () => {
    expect(start('2026-11-23T02:34:00.000Z')).toBe('2026-11-22T21:00:00.000Z')
    expect(start('2026-03-29T04:00:00.000Z')).toBe('2026-03-28T21:00:00.000Z')
    expect(start('2026-10-25T04:00:00.000Z')).toBe('2026-10-24T20:00:00.000Z')
  })

  it('is the given time outside of them', () => {
    expect(start('2026-11-22T20:00:00.000Z')).toBe('2026-11-22T20:00:00.000Z')
  })
})

describe('requests that come together', () => {
  const settings: SettingsColumns = {
    mailRequests: 'all',
    mailReminders: true,
    mailDetails: true,
    mailRules: true,
    mailAnnounces: ['high'],
    quietFrom: null,
    quietTo: null,
    timeZone: 'Europe/Berlin',
    pausedUntil: null,
    highBreaksQuiet: false,
    showsSeen: false,
    gathered: true,
  }
  const rest: Announced = { isHighOfKnown: false, restUntil: new Date('2026-12-01T00:00:00Z') }
  const from = (at: string, change: Partial<SettingsColumns> = {}, announced = rest) =>
    announcedFrom({ ...settings, ...change }, new Date(at), announced).toISOString()

  it.each([
    ['2026-11-22T06:00:00.000Z', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22T08:00:00.000Z', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22T08:14:59.999Z', '2026-11-22T08:14:59.999Z'],
    ['2026-11-22T08:15:00.000Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T12:30:00.000Z', '2026-11-22T17:00:00.000Z'],
    ['2026-11-22T17:15:00.000Z', '2026-11-23T08:00:00.000Z'],
    // The clock of Berlin skips an hour that night.
    ['2026-03-28T20:00:00.000Z', '2026-03-29T07:00:00.000Z'],
  ])('those of %s are announced at %s', (at, expected) => expect(from(at)).toBe(expected))

  it('never hold a high risk', () => {
    const high = { isHighOfKnown: true, restUntil: null }
    expect(from('2026-11-22T10:00:00.000Z', {}, high)).toBe('2026-11-22T10:00:00.000Z')
  })

  it('never hold a request until it has expired', () => {
    const soon = { ...rest, restUntil: new Date('2026-11-22T12:00:00.000Z') }
    expect(from('2026-11-22T10:00:00.000Z', {}, soon)).toBe('2026-11-22T10:00:00.000Z')
  })

  it('are announced at the end of quiet hours too, so that no quiet hours hold them forever', () => {
    const quiet = { quietFrom: 8 * 60, quietTo: 20 * 60 }
    expect(from('2026-11-22T10:00:00.000Z', quiet)).toBe('2026-11-22T19:00:00.000Z')
    expect(from('2026-11-22T19:00:00.000Z', quiet)).toBe('2026-11-22T19:00:00.000Z')
    expect(from('2026-11-22T19:20:00.000Z', quiet)).toBe('2026-11-23T19:00:00.000Z')
  })

  it('wait for the end of a pause first, and not at all without the setting', () => {
    const pausedUntil = new Date('2026-11-22T09:00:00.000Z')
    expect(from('2026-11-22T06:00:00.000Z', { pausedUntil })).toBe('2026-11-22T12:00:00.000Z')
    expect(from('2026-11-22T10:00:00.000Z', { gathered: false })).toBe('2026-11-22T10:00:00.000Z')
  })
})
