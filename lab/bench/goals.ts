/** Each goal is relative to another row of the same run, because absolute figures depend on the machine. */

export interface Goal {
  /** The key of the row that the goal is relative to. */
  against: string
  /** `rate`: at least `factor` times as many per second. `cpu`: at most `factor` times the CPU time of the server. */
  quantity: 'rate' | 'cpu'
  factor: number
  /** Compares requests instead of whole flows. */
  perRequest?: boolean
}

export interface Goals {
  postgresql: Goal
  embedded: Goal
  /** The most statements of one request on PostgreSQL. */
  statementsMax?: number
}

const rate = (against: string, factor: number): Goal => ({ against, quantity: 'rate', factor })
const own = (name: string, factor: number): Goal => rate(`postgresql: ${name}`, factor)

const read = (name: string): [string, Goals] => [
  name,
  { postgresql: rate('plain: select', 2), embedded: rate('plain: select', 1) },
]
const list = (name: string): [string, Goals] => [
  name,
  { postgresql: rate('plain: select', 0.5), embedded: rate('plain: select', 0.15) },
]
const page = (name: string): [string, Goals] => [
  name,
  {
    postgresql: { against: 'postgresql: page empty', quantity: 'cpu', factor: 1.5 },
    embedded: own(name, 0.5),
  },
]
const ownPage = (name: string, factor: number): [string, Goals] => [
  name,
  {
    postgresql: { against: 'postgresql: page empty, signed in', quantity: 'cpu', factor },
    embedded: own(name, 0.5),
    statementsMax: 3,
  },
]
const account = (name: string): [string, Goals] => [
  name,
  { postgresql: rate(`better-auth: ${name}`, 5), embedded: rate(`better-auth: ${name}`, 1.5) },
]

/** The goals by the name of the scenario. */
export const goals = new Map<string, Goals>([
  ['root', { postgresql: rate('hono: static', 0.5), embedded: rate('hono: static', 0.5) }],
  ...['profile bearer', 'profile key', 'agent verify', 'cert verify', 'sso verify'].map(read),
  ...['directory', 'peck history', 'audit', 'session list', 'agent list'].map(list),
  ...['sign-up', 'sign-in'].map(account),
  ['mcp key', { postgresql: rate('plain: select', 0.12), embedded: own('mcp key', 0.3) }],
  ['mcp access token', { postgresql: own('mcp key', 0.9), embedded: own('mcp access token', 0.3) }],
  ['token refresh', { postgresql: rate('plain: insert', 0.18), embedded: own('token refresh', 0.3) }],
  [
    'peck',
    {
      postgresql: { ...rate('plain: insert', 0.3), perRequest: true },
      embedded: { ...rate('plain: insert', 0.1), perRequest: true },
    },
  ],
  ...['page /', 'page /signin', 'page /verify', 'page /status'].map(page),
  ownPage('page /home', 1.5),
  ownPage('page /pecks', 2),
])

/** The least share of the rate of the same work by hand (`lab/bench/references/by-hand.mjs`, without the work that reaches it). */
export const floorGoal = 0.7

/** Resident memory after the load, in MiB. */
export const memoryGoals = { postgresql: 180, embedded: 300, api: 100 }

/** p50 of a large database or account, as a multiple of the small one. */
export const growthGoals = { people: 1.2, account: 1.2 }

/** p99 of a light call beside an account that makes heavy calls within its limits, as a multiple of the same call alone. */
export const heavyGoal = 3
