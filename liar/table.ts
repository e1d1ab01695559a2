/** Plays all lies and finds out who notices each of them. */
import type { Evidence, Lie } from './evidence'
import { logNow } from './host/start'
import { contradict } from './judges/copies'
import { passesChecks } from './judges/owner'
import { checkWithoutDemands, faultLater, passesLater, shopActs } from './judges/shop'
import { lies } from './lies'
import { type Cast, confirm } from './people/cast'
import { decide, receiptOf, termsOf, use, withdraw } from './people/decide'
import { exportOf, keptExport } from './people/export'
import { type Column, columns, laterColumns } from './shops/columns'
import { faultOf } from './shops/typescript'

/** A lie as it was played, by where Nadia signs. */
type Played = Record<Column['site'], Evidence>

const note = (text: string) => void process.stderr.write(`${text}\n`)

/** Returns the lines of the section in docs/security.md: what each lie is, and who notices it. */
export async function makeTable(cast: Cast): Promise<string> {
  await checkHonest(cast)
  const played: Played[] = []
  for (const [index, lie] of lies.entries()) {
    note(`L${index + 1}: ${lie.forged}`)
    played.push(await playOn(cast, lie))
    await withdraw(cast)
  }
  await checkNadia(cast)
  const rows: string[][] = []
  const laterRows: string[][] = []
  for (const [index, lie] of lies.entries()) {
    const evidence = played[index] as Played
    const cells = await cellsOf(cast, lie, evidence)
    rows.push([`L${index + 1}`, ...cells])
    note(rows.at(-1)?.join(' | ') ?? '')
    const later = await laterCellsOf({ cast, lie, evidence }, cells.slice(1))
    if (later === null) continue
    laterRows.push([`L${index + 1}`, ...later])
    note(`minutes later: ${later.join(' | ')}`)
  }
  const described = lies.map(({ forged, access }, index) => [`L${index + 1}`, forged, access])
  return [
    ...markdown(['lie', 'what is forged', 'with'], described),
    '',
    ...markdown(['lie', ...columns.map(({ heading }) => heading)], rows),
    '',
    'Minutes later:',
    '',
    ...markdown(['lie', ...laterColumns.map(({ heading }) => heading)], laterRows),
  ].join('\n')
}

const markdown = (head: string[], rows: string[][]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---|').join('')}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
]

async function playOn(cast: Cast, lie: Lie): Promise<Played> {
  const service = await lie.play(cast, 'service')
  return { service, approver: lie.isSameEverywhere ? service : await lie.play(cast, 'approver') }
}

/** Throws unless each shop acts on an honest permission: a shop that refuses everything would notice every lie. */
async function checkHonest(cast: Cast): Promise<void> {
  for (const site of ['service', 'approver'] as const) {
    const offer = await use(cast, await decide(cast, site, termsOf(cast)))
    for (const column of columns.filter((one) => one.site === site))
      if (!(await shopActs(cast, column, { offer })))
        throw new Error(`the shop "${column.name}" refuses an honest permission`)
    await logNow(cast.host)
    const shownLater = () => receiptOf(cast, offer.answer.peck_id)
    for (const column of laterColumns.filter((one) => one.site === site))
      if (!(await passesLater(cast, column, { offer, shownLater })))
        throw new Error(`the shop "${column.name}" refuses an honest permission minutes later`)
  }
}

/** Throws when the check of Nadia's export finds something after all lies: then one lie would be found because of another. */
async function checkNadia(cast: Cast): Promise<void> {
  const { host, python, nadia } = cast
  await logNow(host)
  await confirm(cast)
  const owned = { host, python, ducklingId: nadia.id, kept: await keptExport(cast) }
  if (!(await passesChecks({ ...owned, shown: await exportOf(cast, nadia) }, { hasKeptExport: true })))
    throw new Error('the check of the export of Nadia found a lie that another row is about')
}

interface Told {
  cast: Cast
  lie: Lie
  evidence: Played
}

/** Returns who notices minutes later, or null when each shop stopped before it acted. `first`: who noticed at first. */
async function laterCellsOf({ cast, lie, evidence }: Told, first: string[]): Promise<string[] | null> {
  if (evidence.service.offer === undefined || first.every((cell) => cell === 'caught: shop')) return null
  const cells: string[] = []
  for (const [index, column] of laterColumns.entries())
    cells.push(
      first[index] === 'caught: shop'
        ? 'caught: shop'
        : await laterCellOf(cast, lie, column, evidence[column.site]),
    )
  return cells
}

async function laterCellOf(cast: Cast, lie: Lie, column: Column, evidence: Evidence): Promise<string> {
  const { offer, passesOwner, kept, hasContradiction } = evidence
  const shop = shopOf(column, evidence)
  if (offer !== undefined && !(await passesLater(cast, shop, { ...evidence, offer }))) {
    const fault = await faultLater(cast, shop, { ...evidence, offer })
    if (fault !== (lie.faultLater ?? null))
      throw new Error(`"${lie.forged}" is refused minutes later because of ${fault} (${column.name})`)
    return 'caught: shop'
  }
  if (passesOwner !== undefined && !(await passesOwner(column))) return 'caught: owner'
  // Nadia asks for the receipt again, and compares it with the one that she kept.
  if (kept !== undefined && (await contradict(kept, await receiptOf(cast, kept.peck_id))))
    return 'caught: owner'
  if (hasContradiction !== undefined && (await hasContradiction())) return 'caught: copies'
  const why = lie.whyLater ?? lie.why
  if (why === undefined)
    throw new Error(`nobody notices "${lie.forged}" minutes later (${column.name}), and no reason is given`)
  return `missed: ${why}`
}

async function cellsOf(cast: Cast, lie: Lie, played: Played): Promise<string[]> {
  await played.service.ready?.()
  await played.approver.ready?.()
  const { offer } = played.service
  if (offer !== undefined) await checkWithoutDemands(cast, { ...played.service, offer })
  if (lie.fault !== undefined) await checkFault(cast, lie, played)
  const cells: string[] = []
  for (const column of columns) cells.push(await cellOf(cast, lie, column, played[column.site]))
  return cells
}

/** Throws unless the shop refuses the receipt for the reason that the lie names: a receipt with a slip of this program would be refused, too. */
async function checkFault(cast: Cast, { forged, fault }: Lie, played: Played): Promise<void> {
  for (const column of columns) {
    const { offer } = played[column.site]
    const found = offer === undefined ? null : await faultOf(cast, { ...column, require: 'signed' }, offer)
    if (found !== fault)
      throw new Error(`"${forged}" is refused because of ${found} (${column.name}), not of ${fault}`)
  }
}

/** Returns the shop of a column, which accepts rules where the lie is about one. Guards demand a challenge, which no rule has. */
const shopOf = (column: Column, { acceptsRules }: Evidence): Column =>
  acceptsRules && !column.isGuard ? { ...column, acceptsRules } : column

async function cellOf(cast: Cast, lie: Lie, column: Column, evidence: Evidence): Promise<string> {
  const { offer, isBelieved, passesOwner, hasContradiction } = evidence
  if (offer !== undefined && !(await shopActs(cast, shopOf(column, evidence), { ...evidence, offer })))
    return 'caught: shop'
  if (isBelieved !== undefined && !(await isBelieved())) return 'caught: shop'
  if (passesOwner !== undefined && !(await passesOwner(column))) return 'caught: owner'
  if (hasContradiction !== undefined && (await hasContradiction())) return 'caught: copies'
  if (lie.why === undefined)
    throw new Error(`nobody notices "${lie.forged}" (${column.name}), and no reason is given`)
  return `missed: ${lie.why}`
}
