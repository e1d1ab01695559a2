import { describe, expect, it } from 'vitest'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { pauseOf } from './asking-pause'

const start = new Date('2026-11-23T12:00:00Z')
const at = (seconds: number) => secondsAfter(start, seconds)

/** Rejections of different actions, at these seconds. */
const rejectedAt = (...seconds: number[]) =>
  seconds.map((second, index) => ({
    at: at(second).getTime(),
    action: `read:${'abcdefghijklmnop'[index]}`,
  }))

/** Seconds from `start` until an action that nobody has rejected may be requested. Null: it may be requested now. */
function pausedUntil(rejections: ReturnType<typeof rejectedAt>, now: number): number | null {
  const pause = pauseOf(rejections, 'pay:invoice', at(now))
  return pause === null ? null : (pause.until.getTime() - start.getTime()) / 1000
}

describe('the pause of one action', () => {
  const rejections = [{ at: start.getTime(), action: 'pay:invoice' }]

  it.each(['pay:invoice', 'pay:invoice1', 'pay:invoice.', 'pay:in-voice_2'])('holds for %s', (action) => {
    const pause = { failure: 'peck_recently_rejected', until: at(hour) }
    expect(pauseOf(rejections, action, at(minute))).toEqual(pause)
    expect(pauseOf(rejections, action, at(hour))).toBeNull()
  })

  it.each(['pay:invoices', 'read:invoice'])('does not hold for %s', (action) => {
    expect(pauseOf(rejections, action, at(minute))).toBeNull()
  })
})

describe('the pause of every action', () => {
  it('begins with the third rejection in a day and doubles with each further one, up to a day', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) =>
      pausedUntil(rejectedAt(...Array.from({ length: count }, () => 0)), 1),
    )
    expect(pauses).toEqual([null, null, hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour, day, day])
  })

  it('does not count rejections that are a day older than the last one', () => {
    expect(pausedUntil(rejectedAt(0, 0, day), day + 1)).toBeNull()
    expect(pausedUntil(rejectedAt(0, 1, day), day + 1)).toBeNull()
    expect(pausedUntil(rejectedAt(0, 1, day - 1), day)).toBe(day - 1 + hour)
  })

  it('lasts as long as the longest pause that is not over', () => {
    const rejections = rejectedAt(0, 0, 0, 0, 0, 0, 0, day)
    expect(pausedUntil(rejections, 1)).toBe(16 * hour)
    expect(pausedUntil(rejectedAt(0, 0, 0, 0, 0, hour), 2 * hour)).toBe(hour + 8 * hour)
  })
})
