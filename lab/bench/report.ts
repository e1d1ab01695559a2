/** The report as Markdown. The text below the heading "What was tried" is written by hand and kept. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { floorGoal, goals, memoryGoals } from './goals'
import { compareRows, compareWithFloor, goalOf, judge, medianOf, type Row, type ServerKey } from './rows'
import { root } from './servers/server'
import { settings } from './settings'

export interface Report {
  rows: Row[]
  postgres: { version: string; durability: string } | null
  /** The version of the other Node.js. Null: there is none. */
  otherNode: string | null
  /** Resident memory after the load, in MiB. */
  memory: Partial<Record<ServerKey | 'api', number>>
}

const resultsFile = join(root, 'lab', 'bench', 'RESULTS.md')
const keptHeading = '## What was tried'
const keptStart = `${keptHeading}\n\nNothing yet.\n`

/** Formats a number with about three digits, or a dash when there is none. */
export function format(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Returns a Markdown table. The first column is text, the others are aligned to the right. */
export function table(head: string[], lines: string[][]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const figures = (row: Row) => [
  format(medianOf(row, 'rate')),
  format(medianOf(row, 'p50')),
  format(medianOf(row, 'p99')),
  format(medianOf(row, 'serverCpu')),
  format(medianOf(row, 'databaseCpu')),
  format(medianOf(row, 'resident')),
]

function goalText(row: Row): string {
  const goal = goalOf(row)
  if (!goal) return '–'
  const sign = goal.quantity === 'cpu' ? 'CPU ≤ ' : ''
  return `${sign}${goal.factor} × ${goal.against}${goal.perRequest ? ', per request' : ''}`
}

function statementsText(row: Row): string {
  const max = row.server === 'postgresql' ? goals.get(row.name)?.statementsMax : undefined
  const text = row.statements === null ? '–' : row.statements.toFixed(1)
  return max === undefined || row.statements === null ? text : `${text} (goal ${max})`
}

function beakLine(row: Row, rows: Row[]): string[] {
  const verdict = judge(row, rows)
  const met = verdict === null ? '–' : verdict.met ? 'yes' : '**no**'
  return [
    row.title,
    ...figures(row),
    statementsText(row),
    goalText(row),
    format(verdict?.ratio),
    format(verdict?.cpuRatio),
    met,
  ]
}

const beakHead = [
  'work',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU ms server',
  'CPU ms PostgreSQL',
  'resident MiB',
  'statements',
  'goal',
  'ratio',
  'ratio by CPU',
  'met',
]

function errorLines(rows: Row[]): string[] {
  const failed = rows.filter(({ rounds }) => rounds.some(({ errors }) => errors > 0))
  if (failed.length === 0) return []
  const lines = failed.map((row) => {
    const count = row.rounds.reduce((sum, { errors }) => sum + errors, 0)
    return `- ${row.key}: ${count}, the first: ${row.firstError}`
  })
  return ['### Errors', lines.join('\n')]
}

/** The rows that are also written by hand. Where that is slower than the goal, the goal is a share of it. */
function floorLines(rows: Row[]): string[] {
  const lines = rows
    .filter(({ server }) => server === 'postgresql')
    .flatMap((row) => {
      const verdict = compareWithFloor(row, rows)
      if (verdict === null) return []
      const { floor, ratio, cpuRatio } = verdict
      const met = ratio >= floorGoal ? 'yes' : '**no**'
      return [[row.title, goalText(row), format(floor), format(ratio), format(cpuRatio), met]]
    })
  if (lines.length === 0) return []
  const head = ['work', 'goal', 'by hand', 'Beak of it', 'by CPU', `at least ${floorGoal}`]
  return ['## The same work by hand', table(head, lines)]
}

/** The same server with another version of Node.js, beside the version that runs the benchmark. */
function otherNodeLines({ rows, otherNode }: Report): string[] {
  const lines = rows
    .filter(({ server, rounds }) => server === 'other-node' && rounds.length > 0)
    .flatMap((other) => {
      const own = rows.find(({ server, name }) => server === 'postgresql' && name === other.name)
      if (own === undefined || own.rounds.length === 0) return []
      const { rate, cpu } = compareRows(other, own)
      const figure = (row: Row) => [
        format(medianOf(row, 'rate')),
        format(medianOf(row, 'serverCpu')),
        format(medianOf(row, 'resident')),
      ]
      return [[other.title, ...figure(own), ...figure(other), format(rate), format(cpu)]]
    })
  if (lines.length === 0) return []
  const head = ['per second', 'CPU ms server', 'MiB']
  return [
    '## Two versions of Node.js',
    table(
      [
        'work',
        ...[process.version, otherNode].flatMap((version) => head.map((name) => `${version}: ${name}`)),
        'rate',
        'CPU server',
      ],
      lines,
    ),
  ]
}

function memoryTable({ memory }: Report): string {
  const line = (name: string, key: ServerKey | 'api', goal?: number) => {
    const value = memory[key]
    const met = goal === undefined || value === undefined ? '–' : value <= goal ? 'yes' : '**no**'
    return [name, format(value), goal === undefined ? '–' : String(goal), met]
  }
  return table(
    ['resident memory after the load', 'MiB', 'goal', 'met'],
    [
      line('Beak on PostgreSQL, API and pages', 'postgresql', memoryGoals.postgresql),
      line('Beak on PostgreSQL, the API alone', 'api', memoryGoals.api),
      line('Beak embedded, API and pages', 'embedded', memoryGoals.embedded),
      line('better-auth on Hono', 'better-auth'),
    ],
  )
}

function conditions({ postgres }: Report): string {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const database =
    postgres === null ? 'no PostgreSQL' : `PostgreSQL ${postgres.version} (${postgres.durability})`
  // Above the number of cores, other programs were busy as well.
  const load = `load average ${loadavg()[2]?.toFixed(1)}`
  const size = `${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections, ${settings.flows} flows`
  return `${new Date().toISOString().slice(0, 10)} · ${machine} · Node.js ${process.version} · ${database} · ${size} · ${load}`
}

const introduction = `\`npm run bench\` writes this file. Absolute figures depend on the machine and the hour. Compare the ratios, which are between rows of
the same run. Other programs on the machine change rates more than CPU times: "ratio by CPU" is what the ratio would be if only the CPU
time of server and PostgreSQL counted. A row of several requests counts them as one.`

/** Returns the report as Markdown, without the text that is written by hand. */
export function renderReport(report: Report): string {
  const { rows } = report
  const on = (server: ServerKey) => rows.filter((row) => row.server === server && row.rounds.length > 0)
  const references = [...on('hono'), ...on('plain'), ...on('better-auth'), ...on('by-hand')]
  return [
    '# Results of the benchmark',
    introduction,
    conditions(report),
    '## References',
    table(
      ['reference', ...beakHead.slice(1, 7)],
      references.map((row) => [`${row.title} (\`${row.key}\`)`, ...figures(row)]),
    ),
    '## Beak on PostgreSQL',
    table(
      beakHead,
      on('postgresql').map((row) => beakLine(row, rows)),
    ),
    ...floorLines(rows),
    ...otherNodeLines(report),
    '## Beak with the embedded database',
    table(
      beakHead,
      on('embedded').map((row) => beakLine(row, rows)),
    ),
    '## Memory',
    memoryTable(report),
    ...errorLines(rows),
  ].join('\n\n')
}

function keptText(): string {
  if (!existsSync(resultsFile)) return keptStart
  const text = readFileSync(resultsFile, 'utf8')
  const start = text.indexOf(keptHeading)
  return start === -1 ? keptStart : text.slice(start)
}

/** Prints the report and, for a complete run, writes it to `lab/bench/RESULTS.md`. */
export function printReport(report: Report, isComplete: boolean): void {
  const text = renderReport(report)
  process.stdout.write(`${text}\n`)
  if (!isComplete) return
  writeFileSync(resultsFile, `${text}\n\n${keptText()}`)
  process.stderr.write('\nwritten to lab/bench/RESULTS.md\n')
}
