/** Fills an inbox with many requests. One operator can have ten requests waiting, so it takes many operators. */
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { anAgent, aPerson, bond, type Person } from './people'
import { type Server, send } from './server'

const perOperator = 10
/** How many operators are created at the same time. */
const together = 5
const names = ['Scout', 'Courier', 'Ledger', 'Gardener', 'Librarian', 'Skipper', 'Baker', 'Cartographer']

/** What an agent asks for: of each risk, with a value of each kind. */
const requests = [
  { action: 'read:calendar', params: { week: 12 } },
  { action: 'send:email', params: { to: 'eider@pond.example', subject: 'Lunch by the pond' } },
  { action: 'pay:invoice', params: { amount: { amount: 1380, currency: 'EUR' }, to: 'bakery@pond.example' } },
  { action: 'delete:database', params: { database: 'production', cascade: true } },
  { action: 'book:table', params: { at: '2026-12-24T19:00:00Z', seats: 4 } },
  { action: 'update:document', params: { text: { before: 'Feed at nine', after: 'Feed at eight' } } },
  { action: 'read:profile', params: {} },
  {
    action: 'transfer:money',
    params: { amount: 4800, currency: 'EUR', iban: 'DE02 1203 0000 0000 2020 51' },
  },
  { action: 'publish:post', params: { text: 'The pond is open again. '.repeat(12) } },
  { action: 'frobnicate:pond', params: { depth: 3 }, message: 'The ducks asked for it.' },
]

/** Sends `count` requests to a person, from as many agents as that takes. */
export async function fillInbox(server: Server, person: Person, count: number): Promise<void> {
  const operators = Array.from({ length: Math.ceil(count / perOperator) }, (_, index) => index)
  for (let start = 0; start < operators.length; start += together)
    await Promise.all(
      operators.slice(start, start + together).map(async (index) => {
        const operator = await aPerson(server, `Heron${index + 1}`)
        const agent = await anAgent(server, operator, { agent_name: names[index % names.length] ?? 'Scout' })
        await bond(server, agent)
        for (const request of requests.slice(0, count - index * perOperator))
          await ask(server, agent.key, person, request)
      }),
    )
}

async function ask(server: Server, key: string, { id }: Person, request: object): Promise<void> {
  const { status, body } = await send(server, 'POST /beak/peck/request', {
    key,
    body: { target_duckling_id: id, scope: 'limited', ...request },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Replaces `column`, which has an id, by the id of the copy `n`: the time of the id stays. */
const copied = (column: string) => `overlay(${column} placing lpad(n::text, 4, '0') from 16)`

/**
 * Each statement gets the id of a person, and how many copies it adds of everything that asked this person: the operators, their agents, the
 * requests, and the number of requests by action.
 */
const copies = [
  `INSERT INTO "Duckling" SELECT r.* FROM generate_series(1, $2::int) n, "Duckling" d, jsonb_populate_record(d, jsonb_build_object(
     'id', ${copied('d."id"')}, 'email', n || d."email", 'displayName', 'Heron' || n, 'referralCode', d."referralCode" || n)) r
   WHERE d."id" IN (SELECT "requesterDucklingId" FROM "Peck" WHERE "targetDucklingId" = $1)`,
  `INSERT INTO "Agent" SELECT r.* FROM generate_series(1, $2::int) n, "Agent" a, jsonb_populate_record(a, jsonb_build_object(
     'id', ${copied('a."id"')}, 'ducklingId', ${copied('a."ducklingId"')}, 'name', a."name" || n)) r
   WHERE a."id" IN (SELECT "requesterAgentId" FROM "Peck" WHERE "targetDucklingId" = $1)`,
  `INSERT INTO "AskerHistory" SELECT r.* FROM generate_series(1, $2::int) n, "AskerHistory" h, jsonb_populate_record(h, jsonb_build_object(
     'askerId', ${copied('h."askerId"')})) r
   WHERE h."targetDucklingId" = $1`,
  `INSERT INTO "Peck" SELECT r.* FROM generate_series(1, $2::int) n, "Peck" p, jsonb_populate_record(p, jsonb_build_object(
     'id', ${copied('p."id"')}, 'askerId', ${copied('p."askerId"')}, 'requesterDucklingId', ${copied('p."requesterDucklingId"')},
     'requesterAgentId', ${copied('p."requesterAgentId"')}, 'pendingKey', n || p."pendingKey")) r
   WHERE p."targetDucklingId" = $1`,
]

/** Adds copies of all requests to people, each from an operator of its own, to the data folder of a stopped server. */
export async function copyRequests(
  dataDir: string,
  people: { person: Person; times: number }[],
): Promise<void> {
  const database = await PGlite.create(join(dataDir, 'db'))
  for (const { person, times } of people)
    for (const statement of copies) await database.query(statement, [person.id, times])
  await database.close()
}
