/** What the status of the service means for its users. */
import type { ResponseOf } from '@/app/beak/_api/lines'

export type Status = ResponseOf<'GET /beak/system/status'>
export type Condition = Status['status']

interface Part {
  title: string
  /** What the part does. */
  role: string
  /** What users notice when the part does not work. */
  trouble: string
}

export const overall: Record<Condition, { title: string; text: string }> = {
  operational: { title: 'Everything works', text: 'All parts of Beak work as they should.' },
  degraded: {
    title: 'Some parts have problems',
    text: 'Beak works, but a part of it has problems. See below which one, and what that means for you.',
  },
  outage: {
    title: 'Beak is down',
    text: 'Beak rejects all requests until the database is available again. Nothing that was confirmed is lost.',
  },
}

export const parts: Record<'database' | 'outbox' | 'redis', Part> = {
  database: {
    title: 'Database',
    role: 'Stores identities, requests and everything else.',
    trouble: 'Nothing can be read or changed.',
  },
  outbox: {
    title: 'Email and webhooks',
    role: 'Sends codes, notices and events.',
    trouble: 'Codes, notices and events arrive late.',
  },
  redis: {
    title: 'Rate limits',
    role: 'Counts requests over all instances.',
    trouble: 'Sign-up, sign-in and new codes have to wait. Everything else works.',
  },
}

export const words: Record<Condition, { label: string; tone: 'good' | 'warn' | 'bad' }> = {
  operational: { label: 'Works', tone: 'good' },
  degraded: { label: 'Delayed', tone: 'warn' },
  outage: { label: 'Down', tone: 'bad' },
}

/** Returns a latency in words, rounded for reading. */
export function latencyWords(milliseconds: number): string {
  if (milliseconds < 1) return 'under 1 ms'
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
}
