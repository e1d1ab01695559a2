import { m } from '@/lib/kernel/messages'
import { day } from '@/lib/kernel/runtime/clock'

/** A key that expires sooner should be rotated. */
const warnDays = 14

export interface KeyLifetime {
  /** Whole days between creation and expiry. */
  totalDays: number
  /** Days left, rounded up. */
  daysLeft: number
  /** The part that is left, 0 to 1. */
  left: number
  tone: 'good' | 'warn' | 'bad'
  text: string
}

/** Returns how much of a key's lifetime is left at `now`. */
export function keyLifetime(key: { created_at: string; expires_at: string }, now: Date): KeyLifetime {
  const total = (Date.parse(key.expires_at) - Date.parse(key.created_at)) / 1000
  const left = (Date.parse(key.expires_at) - now.getTime()) / 1000
  const totalDays = Math.max(1, Math.round(total / day))
  if (left <= 0) return { totalDays, daysLeft: 0, left: 0, tone: 'bad', text: m.agents_expired() }
  // Rounded up, so that a key of 90 days has 90 days left during its first day.
  const daysLeft = Math.min(totalDays, Math.ceil(left / day))
  return {
    totalDays,
    daysLeft,
    left: Math.min(1, left / total),
    tone: left < warnDays * day ? 'warn' : 'good',
    text: m.agents_days_of_total_left({ days: daysLeft, total: totalDays }),
  }
}
