/** Plays all lies and finds out who notices each of them. */
import type { Evidence, Lie } from './evidence'
import { checkWithoutDemands, shopActs } from './judges/shop'
import { lies } from './lies'
import type { Cast } from './people/cast'
import { decide, termsOf, use, withdraw } from './people/decide'
import { type Column, columns } from './shops/columns'
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
  const rows: string[][] = []
  for (const [index, lie] of lies.entries()) {
    rows.push([`L${index + 1}`, ...(await cellsOf(cast, lie, played[index] as Played))])
    note(rows.at(-1)?.join(' | ') ?? '')
  }
  const described = lies.map(({ forged, access }, index) => [`L${index + 1}`, forged, access])
  return [
    ...markdown(['lie', 'what is forged', 'with'], described),
    '',
    ...markdown(['lie', ...columns.map(({ heading }) => heading)], rows),
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
  }
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

async function cellOf(cast: Cast, lie: Lie, column: Column, evidence: Evidence): Promise<string> {
  const { offer, isBelieved, passesOwner, hasContradiction } = evidence
  if (offer !== undefined && !(await shopActs(cast, column, { ...evidence, offer }))) return 'caught: shop'
  if (isBelieved !== undefined && !(await isBelieved())) return 'caught: shop'
  if (passesOwner !== undefined && !(await passesOwner(column))) return 'caught: owner'
  if (hasContradiction !== undefined && (await hasContradiction())) return 'caught: copies'
  if (lie.why === undefined)
    throw new Error(`nobody notices "${lie.forged}" (${column.name}), and no reason is given`)
  return `missed: ${lie.why}`
}
