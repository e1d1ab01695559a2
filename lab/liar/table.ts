/** Tables of the document. */

import type { Evidence, Lie } from './evidence'
import { logNow } from './host/start'
import { contradict } from './judges/copies'
import { passesChecks } from './judges/owner'
import { checkWithoutDemands, faultLater, passesLater, shopActs } from './judges/shop'
import { lies } from './lies'
import { decide, receiptOf, termsOf, use, withdraw } from './people/decide'
import { exportOf, keptExport } from './people/export'
import { confirm, type World } from './people/world'
import { type Column, columns, laterColumns } from './shops/columns'
import { faultOf } from './shops/typescript'

const markdown = (head: string[], rows: string[][]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---|').join('')}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]

/** Writes rows with the same cells as one, whose first cell has the names of all: "L1 to L3, L8". */
function together(rows: string[][]): string[][] {
  const names = new Map<string, number[]>()
  for (const [name = '', ...cells] of rows) {
    const key = cells.join(' | ')
    names.set(key, [...(names.get(key) ?? []), Number(name.slice(1))])
  }
  return [...names].map(([cells, numbers]) => [ranges(numbers), ...cells.split(' | ')])
}

function ranges(numbers: number[]): string {
  const runs: number[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.at(-1) === number - 1) last.push(number)
    else runs.push([number])
  }
  return runs
    .map((run) => (run.length < 3 ? run.map((n) => `L${n}`).join(', ') : `L${run[0]} to L${run.at(-1)}`))
    .join(', ')
}

/** Plays all lies and finds out who notices each of them. */

/** A lie as it was played, by where Nadia signs. */
type Played = Record<Column['site'], Evidence>

const note = (text: string) => void process.stderr.write(`${text}\n`)

/** Returns the lines of the section in docs/security.md: what each lie is, and who notices it. */
export async function makeTable(world: World): Promise<string> {
  await checkHonest(world)
  const played: Played[] = []
  for (const [index, lie] of lies.entries()) {
    note(`L${index + 1}: ${lie.forged}`)
    played.push(await playOn(world, lie))
    await withdraw(world)
  }
  await checkNadia(world)
  const rows: string[][] = []
  const laterRows: string[][] = []
  for (const [index, lie] of lies.entries()) {
    const evidence = played[index] as Played
    const cells = await cellsOf(world, lie, evidence)
    rows.push([`L${index + 1}`, ...cells])
    note(rows.at(-1)?.join(' | ') ?? '')
    const later = await laterCellsOf({ world, lie, evidence }, cells.slice(1))
    if (later === null) continue
    laterRows.push([`L${index + 1}`, ...later])
    note(`minutes later: ${later.join(' | ')}`)
  }
  const described = lies.map(({ forged, access }, index) => [`L${index + 1}`, forged, access])
  return [
    ...markdown(['lie', 'what is forged', 'with'], described),
    '',
    ...markdown(['lie', ...columns.map(({ heading }) => heading)], together(rows)),
    '',
    'Minutes later:',
    '',
    ...markdown(['lie', ...laterColumns.map(({ heading }) => heading)], together(laterRows)),
  ].join('\n')
}

async function playOn(world: World, lie: Lie): Promise<Played> {
  const service = await lie.play(world, 'service')
  return { service, approver: lie.isSameEverywhere ? service : await lie.play(world, 'approver') }
}

/** Throws unless each shop acts on an honest permission: a shop that refuses everything would notice every lie. */
async function checkHonest(world: World): Promise<void> {
  for (const site of ['service', 'approver'] as const) {
    const offer = await use(world, await decide(world, site, termsOf(world)))
    for (const column of columns.filter((one) => one.site === site))
      if (!(await shopActs(world, column, { offer })))
        throw new Error(`the shop "${column.name}" refuses an honest permission`)
    await logNow(world.host)
    const shownLater = () => receiptOf(world, offer.answer.peck_id)
    for (const column of laterColumns.filter((one) => one.site === site))
      if (!(await passesLater(world, column, { offer, shownLater })))
        throw new Error(`the shop "${column.name}" refuses an honest permission minutes later`)
  }
}

/** Throws when the check of Nadia's export finds something after all lies: then one lie would be found because of another. */
async function checkNadia(world: World): Promise<void> {
  const { host, python, nadia } = world
  await logNow(host)
  await confirm(world)
  const owned = { host, python, ducklingId: nadia.id, kept: await keptExport(world) }
  if (!(await passesChecks({ ...owned, shown: await exportOf(world, nadia) }, { hasKeptExport: true })))
    throw new Error('the check of the export of Nadia found a lie that another row is about')
}

interface PlayedLie {
  world: World
  lie: Lie
  evidence: Played
}

/** Returns who notices minutes later, or null when each shop stopped before it acted. `first`: who noticed at first. */
async function laterCellsOf({ world, lie, evidence }: PlayedLie, first: string[]): Promise<string[] | null> {
  if (evidence.service.offer === undefined || first.every((cell) => cell === 'caught: shop')) return null
  const cells: string[] = []
  for (const [index, column] of laterColumns.entries())
    cells.push(
      first[index] === 'caught: shop'
        ? 'caught: shop'
        : await laterCellOf(world, lie, column, evidence[column.site]),
    )
  return cells
}

async function laterCellOf(world: World, lie: Lie, column: Column, evidence: Evidence): Promise<string> {
  const { offer, passesOwner, kept, hasContradiction } = evidence
  const shop = shopOf(column, evidence)
  if (offer !== undefined && !(await passesLater(world, shop, { ...evidence, offer }))) {
    const fault = await faultLater(world, shop, { ...evidence, offer })
    if (fault !== (lie.faultLater ?? null))
      throw new Error(`"${lie.forged}" is refused minutes later because of ${fault} (${column.name})`)
    return 'caught: shop'
  }
  if (passesOwner !== undefined && !(await passesOwner(column))) return 'caught: owner'
  // Nadia asks for the receipt again, and compares it with the receipt that she kept.
  if (kept !== undefined && (await contradict(kept, await receiptOf(world, kept.peck_id))))
    return 'caught: owner'
  if (hasContradiction !== undefined && (await hasContradiction())) return 'caught: copies'
  const why = lie.whyLater ?? lie.why
  if (why === undefined)
    throw new Error(`nobody notices "${lie.forged}" minutes later (${column.name}), and no reason is given`)
  return `missed: ${why}`
}

async function cellsOf(world: World, lie: Lie, played: Played): Promise<string[]> {
  await played.service.ready?.()
  await played.approver.ready?.()
  const { offer } = played.service
  if (offer !== undefined) await checkWithoutDemands(world, { ...played.service, offer })
  if (lie.fault !== undefined) await checkFault(world, lie, played)
  const cells: string[] = []
  for (const column of columns) cells.push(await cellOf(world, lie, column, played[column.site]))
  return cells
}

/** Throws unless the shop refuses the receipt for the reason that the lie names: a receipt with a slip of this program would be refused, too. */
async function checkFault(world: World, { forged, fault }: Lie, played: Played): Promise<void> {
  for (const column of columns) {
    const { offer } = played[column.site]
    const found = offer === undefined ? null : await faultOf(world, { ...column, require: 'signed' }, offer)
    if (found !== fault)
      throw new Error(`"${forged}" is refused because of ${found} (${column.name}), not of ${fault}`)
  }
}

/** Returns the shop of a column, which accepts rules where the lie is about one. Guards demand a challenge, which no rule has. */
const shopOf = (column: Column, { acceptsRules }: Evidence): Column =>
  acceptsRules && !column.isGuard ? { ...column, acceptsRules } : column

async function cellOf(world: World, lie: Lie, column: Column, evidence: Evidence): Promise<string> {
  const { offer, isBelieved, passesOwner, hasContradiction } = evidence
  if (offer !== undefined && !(await shopActs(world, shopOf(column, evidence), { ...evidence, offer })))
    return 'caught: shop'
  if (isBelieved !== undefined && !(await isBelieved())) return 'caught: shop'
  if (passesOwner !== undefined && !(await passesOwner(column))) return 'caught: owner'
  if (hasContradiction !== undefined && (await hasContradiction())) return 'caught: copies'
  if (lie.why === undefined)
    throw new Error(`nobody notices "${lie.forged}" (${column.name}), and no reason is given`)
  return `missed: ${lie.why}`
}
