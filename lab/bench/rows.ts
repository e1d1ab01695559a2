/** One row of the table: a scenario on a server. */
import { type Goal, goals } from './goals'
import { median } from './measure/statistics'
import { beakScenarios, byHandScenarios } from './scenarios/beak'
import { betterAuthScenarios, honoScenarios, plainScenarios } from './scenarios/references'
import type { BeakScenario, ReferenceScenario } from './scenarios/scenario'

export type ServerKey =
  | 'hono'
  | 'plain'
  | 'better-auth'
  | 'by-hand'
  | 'postgresql'
  | 'other-node'
  | 'embedded'

export interface Measured {
  /** Requests or flows per second. */
  rate: number
  p50: number
  p99: number
  /** CPU milliseconds per request or flow. */
  serverCpu: number
  databaseCpu: number
  resident: number
  errors: number
}

export interface Row {
  /** `<server>: <scenario>` */
  key: string
  server: ServerKey
  name: string
  title: string
  requestCount: number
  rounds: Measured[]
  /** Statements of one request, when they were counted. */
  statements: number | null
  firstError: string | null
}

function rowsOf(server: ServerKey, scenarios: (BeakScenario | ReferenceScenario)[]): Row[] {
  return scenarios.map((scenario) => ({
    key: `${server}: ${scenario.name}`,
    server,
    name: scenario.name,
    title: scenario.title,
    requestCount: scenario.kind === 'flow' ? scenario.requestCount : 1,
    rounds: [],
    statements: null,
    firstError: null,
  }))
}

/** Returns all rows, or the rows whose key matches `only` and the rows that their goals need. */
export function selectRows(only: RegExp | null): Row[] {
  const all = [
    ...rowsOf('hono', honoScenarios),
    ...rowsOf('plain', plainScenarios),
    ...rowsOf('better-auth', betterAuthScenarios),
    ...rowsOf('by-hand', byHandScenarios),
    ...rowsOf('postgresql', beakScenarios),
    ...rowsOf('other-node', beakScenarios),
    ...rowsOf('embedded', beakScenarios),
  ]
  if (only === null) return all
  const wanted = new Set(all.filter(({ key }) => only.test(key)).map(({ key }) => key))
  for (const row of all) {
    if (row.server === 'other-node' && wanted.has(row.key)) wanted.add(`postgresql: ${row.name}`)
    const against = goalOf(row)?.against
    if (against && wanted.has(row.key)) wanted.add(against)
    if (row.server === 'postgresql' && wanted.has(row.key))
      wanted.add(floorKey(row)).add(`other-node: ${row.name}`)
  }
  return all.filter(({ key }) => wanted.has(key))
}

/** Returns the goal of a row, or null for references and for rows without a goal. */
export function goalOf(row: Pick<Row, 'server' | 'name'>) {
  if (row.server !== 'postgresql' && row.server !== 'embedded') return null
  return goals.get(row.name)?.[row.server] ?? null
}

/** Returns the key of the row that does the same work by hand. Not every row has one. */
function floorKey({ name }: Pick<Row, 'name'>): string {
  return `by-hand: ${name}`
}

/** Returns the median of one figure over all rounds. */
export function medianOf(row: Row, figure: keyof Measured): number {
  return median(row.rounds.map((round) => round[figure]))
}

export interface Verdict {
  /** The row as a multiple of the row that the goal is relative to. */
  ratio: number
  /** The same by CPU time of server and PostgreSQL: what the ratio of rates would be if the CPU were the only limit. */
  cpuRatio: number
  met: boolean
}

/** Returns the CPU milliseconds of server and PostgreSQL for each request or flow. */
function cpuOf(row: Row): number {
  const database = medianOf(row, 'databaseCpu')
  return medianOf(row, 'serverCpu') + (Number.isFinite(database) ? database : 0)
}

/** Returns the rate and the CPU time of the server of a row as multiples of those of another row with the same work. */
export function compareRows(row: Row, other: Row): { rate: number; cpu: number } {
  const ratio = (figure: 'rate' | 'serverCpu') => medianOf(row, figure) / medianOf(other, figure)
  return { rate: ratio('rate'), cpu: ratio('serverCpu') }
}

export interface FloorVerdict {
  /** The row by hand as a multiple of what the goal of the row is relative to. */
  floor: number
  /** The row as a multiple of the row by hand. */
  ratio: number
  /** The same by CPU time of server and PostgreSQL. */
  cpuRatio: number
}

/** Returns by how much the rates of two rows are multiplied to compare requests instead of whole flows, when the goal wants that. */
function unitsOf(goal: Goal, row: Row, other: Row): number {
  return goal.perRequest ? row.requestCount / other.requestCount : 1
}

/** Compares a row with the same work by hand. Returns null when one of the rows was not measured. */
export function compareWithFloor(row: Row, rows: Row[]): FloorVerdict | null {
  const measured = (key: string | undefined) =>
    rows.find((other) => other.key === key && other.rounds.length > 0)
  const goal = goalOf(row)
  const [byHand, against] = [measured(floorKey(row)), measured(goal?.against)]
  if (goal === null || byHand === undefined || against === undefined || row.rounds.length === 0) return null
  return {
    floor: (medianOf(byHand, 'rate') / medianOf(against, 'rate')) * unitsOf(goal, byHand, against),
    ratio: medianOf(row, 'rate') / medianOf(byHand, 'rate'),
    cpuRatio: cpuOf(byHand) / cpuOf(row),
  }
}

/** Compares a row with its goal. Returns null without a goal, or when one of the two rows was not measured. */
export function judge(row: Row, rows: Row[]): Verdict | null {
  const goal = goalOf(row)
  const other = rows.find(({ key }) => key === goal?.against)
  if (!goal || !other || other.rounds.length === 0) return null
  if (goal.quantity === 'cpu') {
    const ratio = medianOf(row, 'serverCpu') / medianOf(other, 'serverCpu')
    return { ratio, cpuRatio: ratio, met: ratio <= goal.factor }
  }
  const units = unitsOf(goal, row, other)
  const ratio = (medianOf(row, 'rate') / medianOf(other, 'rate')) * units
  return { ratio, cpuRatio: (cpuOf(other) / cpuOf(row)) * units, met: ratio >= goal.factor }
}
