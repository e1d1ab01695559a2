import { describe, expect, it } from 'vitest'
import { snoozeChoices } from './later-form'

const berlin = 'Europe/Berlin'
const choices = (now: string, expiresAt: string, zone: string | null = berlin) =>
  snoozeChoices(new Date(now), new Date(expiresAt), zone).map(({ label, until }) => [label, until])

describe('snoozeChoices', () => {
  it('offers an hour, this evening at six and tomorrow at eight, in the zone of the viewer', () => {
    expect(choices('2026-11-23T10:00:30Z', '2026-11-30T10:00:00Z')).toEqual([
      ['In an hour', '2026-11-23T11:00:30.000Z'],
      ['This evening', '2026-11-23T17:00:00.000Z'],
      ['Tomorrow morning', '2026-11-24T07:00:00.000Z'],
    ])
    expect(choices('2026-11-23T10:00:00Z', '2026-11-30T10:00:00Z', null)[1]?.[1]).toBe(
      '2026-11-23T18:00:00.000Z',
    )
  })

  it('leaves out an evening that has come or is less than an hour away', () => {
    for (const now of ['2026-11-23T16:30:00Z', '2026-11-23T20:00:00Z'])
      expect(choices(now, '2026-11-30T10:00:00Z').map(([label]) => label)).toEqual([
        'In an hour',
        'Tomorrow morning',
      ])
  })

  it('returns a quarter of an hour before the request expires, when it expires sooner', () => {
    expect(choices('2026-11-23T10:00:00Z', '2026-11-23T15:00:00Z')).toEqual([
      ['In an hour', '2026-11-23T11:00:00.000Z'],
      ['Shortly before it expires', '2026-11-23T14:45:00.000Z'],
    ])
    expect(choices('2026-11-23T10:00:00Z', '2026-11-23T10:30:00Z')).toEqual([
      ['Shortly before it expires', '2026-11-23T10:15:00.000Z'],
    ])
  })

  it('offers nothing when the request expires soon', () => {
    expect(choices('2026-11-23T10:00:00Z', '2026-11-23T10:29:00Z')).toEqual([])
  })

  it('keeps eight in the morning when the clocks change in the night', () => {
    expect(choices('2026-10-24T19:00:00Z', '2026-11-01T10:00:00Z')[1]).toEqual([
      'Tomorrow morning',
      '2026-10-25T07:00:00.000Z',
    ])
  })
})
