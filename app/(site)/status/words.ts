/** What the status of the service means for those who use it. */
export type Condition = 'operational' | 'degraded' | 'outage'

interface Part {
  title: string
  /** What rests on it. */
  role: string
  /** What its users notice when it is not well. */
  trouble: string
}

export const overall: Record<Condition, { title: string; text: string }> = {
  operational: { title: 'All is well on the pond.', text: 'Everything works as it should.' },
  degraded: {
    title: 'The water is rough.',
    text: 'Beak answers, but a part of it is not well. Which one, and what that means, stands below.',
  },
  outage: {
    title: 'Beak is under water.',
    text: 'Requests are refused until the database is back. Nothing that was confirmed is lost.',
  },
}

export const parts: Record<'database' | 'outbox' | 'redis', Part> = {
  database: {
    title: 'Database',
    role: 'Identities, pecks and everything that is kept.',
    trouble: 'Nothing can be read or changed.',
  },
  outbox: {
    title: 'Mail and webhooks',
    role: 'Codes, notices and events on their way out.',
    trouble: 'They arrive late.',
  },
  redis: {
    title: 'Limits',
    role: 'How often something may be asked for, counted over all instances.',
    trouble: 'Signing up, signing in and new codes have to wait; the rest goes on.',
  },
}

export const words: Record<Condition, { label: string; tone: 'good' | 'warn' | 'bad' }> = {
  operational: { label: 'Works', tone: 'good' },
  degraded: { label: 'Late', tone: 'warn' },
  outage: { label: 'Down', tone: 'bad' },
}

/** The latency of the API, as exact as anybody needs it. */
export function latencyWords(milliseconds: number): string {
  if (milliseconds < 1) return 'under 1 ms'
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
}
