/**
 * Checks that commands written by hand leave what the commands of Beak leave: the same rows in every table, and the same answers. Ids, times,
 * secrets, serial numbers and large numbers are compared by their form only.
 */
import { verifyOutcome } from '@beak/client/verify'
import type pg from 'pg'
import { Client, type HttpRequest } from './drive/connection'
import { type FlowInput, type FlowName, flows } from './scenarios/flows'
import { type AgentOwner, bearer, type Member } from './scenarios/world'
import { withClient } from './servers/postgres'

type Values = Record<string, unknown>
/** The rows of each table, by their primary keys. */
export type Snapshot = Map<string, Map<string, Values>>

/** Columns that are not compared: both servers write them later, together with those of other requests. */
const ignoredColumns: { table: string; columns: string[] | 'all'; reason: string }[] = [
  { table: 'Session', columns: ['lastSeenAt'], reason: 'Written for many requests together, seconds later.' },
  { table: 'Agent', columns: ['lastSeenAt'], reason: 'Written for many requests together, seconds later.' },
  { table: 'BeakKey', columns: ['lastUsedAt'], reason: 'Written for many requests together, seconds later.' },
  { table: 'AuditChain', columns: ['logPending'], reason: 'False after the worker has logged the chain.' },
  { table: 'StatusDay', columns: 'all', reason: 'Written once a minute.' },
  { table: 'MetricDay', columns: 'all', reason: 'Written once a day.' },
]

/** Replaces what differs between two runs of a flow. `run` is the part of addresses, names and actions that is unique. */
function formOf(text: string, run: string): string {
  return text
    .replaceAll(run, '<run>')
    .replace(/p\d+-[\w<>]+@example\.test/g, '<email>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00| UTC)/g, '<time>')
    .replace(/[A-Z]{2,6}-[0-9A-HJKMNP-TV-Z]{26,}/g, '<id>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replace(
      /\\\\x([0-9a-f]*)/g,
      (_, bytes: string) => `<${bytes.length < 100 ? bytes.length / 2 : 'many'} bytes>`,
    )
    .replace(/[0-9a-f-]{32,}/g, '<hex>')
    .replace(/[\w-]{43}(?![\w-])/g, '<hash>')
    .replace(/(nonce|referralCode)(\\?":\\?")[^"\\]*/g, '$1$2<random>')
    .replace(/"ip":"[^"]*"/g, '"ip":"<address>"')
    .replace(/Duck\w+/g, '<name>')
    .replace(/"(id|seq|index|logIndex)":\d+/g, '"$1":#')
    .replace(/\bf\d+x/g, 'f#x')
    .replace(/\d+ (second|minute)s? before/g, '<age> before')
    .replace(/<\d+ bytes>|(?<![A-Za-z\d])\d{4,}/g, (match) => (match.startsWith('<') ? match : '#'))
}

const textOf = (values: Values, run: string) => formOf(JSON.stringify(values), run)

/** Returns a new value, and of a number by how much it changed: totals count for both servers. */
function changeOf(old: unknown, value: unknown): unknown {
  if (typeof old !== 'number' || typeof value !== 'number') return value
  return value > old ? `+${value - old}` : String(value - old)
}

/** Returns one line for each row that was added (+), changed (~, with the columns that changed) or removed (-). */
export function changesBetween(before: Snapshot, after: Snapshot, run: string): string[] {
  const lines: string[] = []
  for (const [table, rows] of after) {
    const earlier = before.get(table) ?? new Map<string, Values>()
    for (const [key, row] of rows) {
      const old = earlier.get(key)
      const changed = Object.entries(row)
        .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old?.[name] ?? null))
        .map(([name, value]): [string, unknown] => [name, changeOf(old?.[name], value)])
      if (changed.length === 0) continue
      lines.push(`${old === undefined ? '+' : '~'} ${table} ${textOf(Object.fromEntries(changed), run)}`)
    }
    for (const key of earlier.keys()) if (!rows.has(key)) lines.push(`- ${table}`)
  }
  return lines.sort()
}

/** Returns the lines of one list that the other list lacks. A line that is there twice must be in the other list twice. */
function missing(lines: string[], others: string[]): string[] {
  const rest = [...others]
  return lines.filter((line) => {
    const index = rest.indexOf(line)
    if (index !== -1) rest.splice(index, 1)
    return index === -1
  })
}

/** Returns a text that shows how two lists differ, or null. */
export function differenceOf(byHand: string[], beak: string[]): string | null {
  const [extra, lacking] = [missing(byHand, beak), missing(beak, byHand)]
  if (extra.length + lacking.length === 0) return null
  return [
    ...extra.map((line) => `only by hand: ${line}`),
    ...lacking.map((line) => `only Beak: ${line}`),
  ].join('\n')
}

async function tablesOf(database: pg.Client): Promise<{ table: string; key: string[] }[]> {
  const { rows } = await database.query<{ table: string; key: string[] }>(`
    SELECT c."relname" AS "table", array_agg(a."attname"::text ORDER BY a."attnum") AS "key"
    FROM "pg_class" c JOIN "pg_index" i ON i."indrelid" = c."oid" AND i."indisprimary"
    JOIN "pg_attribute" a ON a."attrelid" = c."oid" AND a."attnum" = ANY(i."indkey")
    WHERE c."relnamespace" = 'public'::regnamespace GROUP BY c."relname"`)
  return rows.filter(
    ({ table }) => !ignoredColumns.some((one) => one.table === table && one.columns === 'all'),
  )
}

async function snapshot(database: pg.Client): Promise<Snapshot> {
  const found: Snapshot = new Map()
  for (const { table, key } of await tablesOf(database)) {
    const { rows } = await database.query<{ row: Values }>(`SELECT to_jsonb(t) AS "row" FROM "${table}" t`)
    const ignored = ignoredColumns.flatMap((one) =>
      one.table === table && one.columns !== 'all' ? one.columns : [],
    )
    const entries = rows.map(({ row }): [string, Values] => {
      for (const column of ignored) delete row[column]
      return [JSON.stringify(key.map((name) => row[name])), row]
    })
    found.set(table, new Map(entries))
  }
  return found
}

const workerTimeoutSeconds = 20

/** Waits until the worker has sent all mails that are due and has added up all counts. */
async function waitForWorker(database: pg.Client): Promise<void> {
  const end = Date.now() + workerTimeoutSeconds * 1000
  for (;;) {
    const { rows } = await database.query<{ isIdle: boolean }>(`
      SELECT NOT EXISTS (SELECT 1 FROM "MetricDelta")
        AND NOT EXISTS (SELECT 1 FROM "Outbox" WHERE "dueAt" <= now() AND "failedAt" IS NULL) AS "isIdle"`)
    if (rows[0]?.isIdle) return
    if (Date.now() > end) throw new Error(`The worker of Beak has work left after ${workerTimeoutSeconds} s.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A client that keeps the form of each answer, and each receipt. */
class RecordingClient extends Client {
  readonly answers: string[] = []
  readonly receipts: unknown[] = []

  constructor(
    origin: string,
    private readonly run: string,
  ) {
    super(origin)
  }

  override async exchange(request: HttpRequest) {
    const answer = await super.exchange(request)
    const text = answer.text()
    this.answers.push(`${request.path.split('?')[0]} ${answer.status} ${formOf(text, this.run)}`)
    const { receipt } = JSON.parse(text) as { receipt?: unknown }
    if (receipt !== undefined) this.receipts.push(receipt)
    return answer
  }
}

interface FlowTarget {
  origin: string
  index: number
  input: FlowInput
}

/** Runs a flow once. Returns its answers, and what the requests and the mails of the worker have left in the database. */
async function runFlow(database: pg.Client, name: FlowName, { origin, index, input }: FlowTarget) {
  await waitForWorker(database)
  const before = await snapshot(database)
  const client = new RecordingClient(origin, input.run)
  const made: Member[] = []
  if (!(await flows[name](client, index, input, made))) throw new Error(`${name} has nothing to do.`)
  client.close()
  await waitForWorker(database)
  const lines = [...client.answers, ...changesBetween(before, await snapshot(database), input.run)]
  return { lines, made, receipts: client.receipts }
}

/**
 * Brings all pairs of the flow `peck` into the state in which they stay: the target knows the asker, has got a mail about a request, and waits for
 * the next mail, which comes ten minutes later.
 */
export function introducePeople(client: Client, databaseUrl: string, people: AgentOwner[]): Promise<void> {
  return withClient(databaseUrl, (database) => approveTwice(database, client, people))
}

async function approveTwice(database: pg.Client, client: Client, people: AgentOwner[]): Promise<void> {
  for (const round of ['first', 'second']) {
    const waiting: { peckId: string; owner: AgentOwner }[] = []
    for (const [index, asker] of people.entries()) {
      const owner = people[(index + 1) % people.length] ?? asker
      const request = { target_duckling_id: owner.id, action: `read:${round}`, scope: 'limited' }
      const key = { 'X-Beak-Key': asker.beakKey }
      const { peck_id: peckId } = await client.post<{ peck_id: string }>('/beak/peck/request', request, key)
      waiting.push({ peckId, owner })
    }
    await waitForWorker(database)
    for (const { peckId, owner } of waiting)
      await client.post('/beak/peck/approve', { peck_id: peckId }, bearer(owner))
  }
}

export interface Compared {
  databaseUrl: string
  /** Where the mails of both servers are. */
  codes: string
  people: AgentOwner[]
  byHand: string
  beak: string
}

const attempts = 3

/**
 * Throws unless each flow leaves the same rows and gets the same answers on both servers. The worker may write something of its own during a flow,
 * so a flow with a difference is tried again, at most three times. So this finds only differences of every run.
 */
export function compareFlows(names: FlowName[], compared: Compared): Promise<void> {
  return withClient(compared.databaseUrl, async (database) => {
    for (const name of names) {
      let difference: string | null = ''
      for (let attempt = 0; attempt < attempts && difference !== null; attempt++)
        difference = await compareOnce(database, name, { ...compared, index: 2 * attempt })
      if (difference !== null)
        throw new Error(`${name}: the server by hand leaves other rows or answers than Beak.\n${difference}`)
    }
  })
}

/** Compares one run of a flow on each server. The two runs are for different people, so that the first does not change the rows of the second. */
async function compareOnce(
  database: pg.Client,
  name: FlowName,
  { codes, people, index, beak, byHand }: Compared & { index: number },
): Promise<string | null> {
  const runAt = async (origin: string, flow: FlowName, at: number, address = '') => {
    const run = `${origin === beak ? 'beak' : 'hand'}${Date.now()}`
    const input: FlowInput = { run, codes, people, addresses: Array(at + 1).fill(address) }
    return runFlow(database, flow, { origin, index: at, input })
  }
  const newAddress = async (origin: string) => (await runAt(origin, 'sign-up', index)).made[0]?.email
  const isSignIn = name === 'sign-in'
  const expected = await runAt(beak, name, index, isSignIn ? await newAddress(beak) : undefined)
  const found = await runAt(byHand, name, index + 1, isSignIn ? await newAddress(byHand) : undefined)
  await checkAtBeak(beak, found)
  return differenceOf(found.lines, expected.lines)
}

/** Throws unless Beak accepts the sessions that were started by hand, and its keys have signed the receipts. */
async function checkAtBeak(
  issuer: string,
  { made, receipts }: { made: Member[]; receipts: unknown[] },
): Promise<void> {
  const client = new Client(issuer)
  for (const member of made) await client.json({ path: '/beak/profile', headers: bearer(member) })
  client.close()
  for (const receipt of receipts) {
    const verdict = await verifyOutcome(receipt, { issuer, require: 'service' })
    if (!verdict.ok) throw new Error(`A receipt by hand is not valid: ${JSON.stringify(verdict.fault)}`)
  }
}
