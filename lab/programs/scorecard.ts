/**
 * `npm run scorecard`: plays each failure of the hook with the real coding agents, and each way to a command, and writes what happened into the
 * documentation and into `scorecard.json`. `--only` plays the rows whose title has a text, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Agent, agents, type RunOptions, runAgent } from './agents'
import { failures } from './failures'
import { type Guard, guard } from './guard'
import { type Home, makeHome } from './home'
import { installProgram } from './install'
import { ways } from './ways'

/** Closed: the command did not run, and the model was told why. Open: it ran without a question. */
type Verdict = 'closed' | 'open' | 'cannot'

interface Cell {
  verdict: Verdict
  /** Why it cannot be. */
  reason?: string
}

interface Row {
  kind: 'failure' | 'way'
  title: string
  cells: Record<Agent, Cell>
}

const page = 'docs/pages/reference/scorecard.md'
/** `beak connect status` names what is open, so the package of the client has this file. */
const data = 'packages/client/scorecard.json'
const begin = '<!-- The tables: written by a program -->'
const end = '<!-- End of the tables -->'
const titles: Record<Agent, string> = { claude: 'Claude Code', codex: 'Codex' }

/** Throws `Error` when the run shows nothing: the agent neither ran the command nor told the model about the hook. */
async function judge(agent: Agent, home: Home, options: RunOptions): Promise<Verdict> {
  const { ran, results, output, isLate } = await runAgent(agent, home, options)
  if (ran) return 'open'
  if (!isLate && results.some((result) => /\bhook\b|does not answer/i.test(result))) return 'closed'
  throw new Error(`It is not clear what happened.\n${results.join('\n')}\n${output}`)
}

async function playFailure(
  agent: Agent,
  play: (guard: Guard) => ReturnType<(typeof failures)[number]['play']>,
): Promise<Cell> {
  using home = makeHome()
  const options = await play(await guard(agent, home))
  return { verdict: await judge(agent, home, options ?? {}) }
}

/** Without the hook, the command must run that way. Otherwise a closed row would not be the work of the hook. */
async function playWay(agent: Agent, start: (home: Home) => RunOptions): Promise<Cell> {
  using free = makeHome()
  const { ran, output } = await runAgent(agent, free, start(free))
  if (!ran) throw new Error(`The command does not run without the hook either.\n${output}`)
  using home = makeHome()
  const options = start(home)
  await guard(agent, home)
  return { verdict: await judge(agent, home, options) }
}

async function playRow(
  kind: Row['kind'],
  title: string,
  play: (agent: Agent) => string | Promise<Cell>,
): Promise<Row> {
  const cells: Partial<Record<Agent, Cell>> = {}
  for (const agent of agents) {
    const played = play(agent)
    try {
      cells[agent] = typeof played === 'string' ? { verdict: 'cannot', reason: played } : await played
    } catch (error) {
      throw new Error(`${title}, ${titles[agent]}`, { cause: error })
    }
    process.stdout.write(`${title}, ${titles[agent]}: ${cells[agent].verdict}\n`)
  }
  return { kind, title, cells: cells as Row['cells'] }
}

async function playAll(only: string): Promise<Row[]> {
  const rows: Row[] = []
  const isWanted = ({ title }: { title: string }) => title.includes(only)
  for (const { title, play } of failures.filter(isWanted))
    rows.push(await playRow('failure', title, (agent) => playFailure(agent, play)))
  for (const { title, start } of ways.filter(isWanted))
    rows.push(
      await playRow('way', title, (agent) => {
        const begins = start[agent]
        return typeof begins === 'string' ? begins : playWay(agent, begins)
      }),
    )
  return rows
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function tableOf(rows: Row[], first: string, versions: Record<Agent, string>): string {
  const heads = agents.map((agent) => `${titles[agent]} ${versions[agent]}`)
  const words = ({ verdict, reason }: Cell) =>
    verdict === 'open' ? '**open**' : reason === undefined ? verdict : `– (${reason})`
  const lines = rows.map(({ title, cells }) => [
    capital(title),
    ...agents.map((agent) => words(cells[agent])),
  ])
  return [[first, ...heads], ['---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function write(rows: Row[], versions: Record<Agent, string>): void {
  const date = new Date().toISOString().slice(0, 10)
  const place = `${process.platform} ${process.arch}`
  writeFileSync(data, `${JSON.stringify({ date, platform: place, versions, rows }, null, 2)}\n`)
  const of = (kind: Row['kind'], first: string) =>
    tableOf(
      rows.filter((row) => row.kind === kind),
      first,
      versions,
    )
  const text = `Tried live on ${date} (${place}).\n\n${of('failure', 'What fails')}\n\n${of('way', 'How the command comes')}`
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`${page} has no place for the tables: ${begin} and ${end}`)
  writeFileSync(page, `${before}${begin}\n\n${text}\n\n${end}${after}`)
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const installed = await Promise.all(agents.map(installProgram))
const versions = { claude: installed[0]?.version ?? '', codex: installed[1]?.version ?? '' }
const rows = await playAll(values.only)
if (values.only === '') write(rows, versions)
