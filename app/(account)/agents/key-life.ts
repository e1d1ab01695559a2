import { day } from '@/lib/kernel/clock'

/** From here on a key wants to be rotated. */
const warnDays = 14

export interface KeyLife {
  /** Whole days from its making to its end. */
  totalDays: number
  /** Whole days left, begun ones included. */
  daysLeft: number
  /** What is left, 0 to 1. */
  left: number
  tone: 'good' | 'warn' | 'bad'
  words: string
}

/** How much of a key's life is left at `now`. */
export function keyLife(key: { created_at: string; expires_at: string }, now: Date): KeyLife {
  const total = (Date.parse(key.expires_at) - Date.parse(key.created_at)) / 1000
  const left = (Date.parse(key.expires_at) - now.getTime()) / 1000
  const totalDays = Math.max(1, Math.round(total / day))
  if (left <= 0) return { totalDays, daysLeft: 0, left: 0, tone: 'bad', words: 'Expired' }
  // Rounded up: a key of 90 days has 90 left while its first one runs.
  const daysLeft = Math.min(totalDays, Math.ceil(left / day))
  return {
    totalDays,
    daysLeft,
    left: Math.min(1, left / total),
    tone: left < warnDays * day ? 'warn' : 'good',
    words: `${daysLeft} of ${totalDays === 1 ? '1 day' : `${totalDays} days`} left`,
  }
}
