/** What the environment of the benchmark sets. `help.ts` explains each variable. */

function number(name: string, standard: number, min: number): number {
  const text = process.env[name] ?? ''
  const value = text === '' ? standard : Number(text)
  if (!Number.isFinite(value) || value < min) throw new Error(`${name}: must be a number of at least ${min}`)
  return value
}

function pattern(name: string): RegExp | null {
  const text = process.env[name] ?? ''
  return text === '' ? null : new RegExp(text)
}

export const settings = {
  rounds: number('ROUNDS', 3, 1),
  seconds: number('SECONDS', 3, 0.2),
  /** Connections with one request in flight each. */
  connections: number('CONNECTIONS', 32, 1),
  /** Flows of several requests in flight. */
  flows: number('FLOWS', 16, 1),
  only: pattern('ONLY'),
  firstPort: number('BENCH_PORT', 4900, 1024),
  databaseUrl: process.env.BENCH_DATABASE_URL || null,
  otherNode: process.env.BENCH_NODE || null,
  reach: {
    subscriptions: number('REACH_SUBSCRIPTIONS', 100_000, 10_000),
    seconds: number('REACH_SECONDS', 15, 1),
  },
  heavy: { seconds: number('HEAVY_SECONDS', 20, 1) },
  streams: {
    count: number('STREAMS_COUNT', 2_000, 3),
    seconds: number('STREAMS_SECONDS', 15, 1),
  },
  soak: { minutes: number('SOAK_MINUTES', 30, 0.1) },
  growth: {
    small: number('GROWTH_SMALL', 1_000, 100),
    large: number('GROWTH_LARGE', 1_000_000, 100),
    pecks: number('GROWTH_PECKS', 100_000, 10),
    events: number('GROWTH_EVENTS', 1_000_000, 10),
    deliveries: number('GROWTH_DELIVERIES', 100_000, 10),
  },
}
