/** Fills an inbox with many requests. One operator can have ten requests waiting, so it takes many operators. */
import { anAgent, aPerson, bond, type Person } from './people'
import { type RunningServer, send } from './server'

const perOperator = 10
/** How many operators are created at the same time. */
const together = 5
const names = ['Scout', 'Courier', 'Ledger', 'Gardener', 'Librarian', 'Skipper', 'Baker', 'Cartographer']

/** What an agent asks for: of each risk, with a value of each kind. */
const requests = [
  { action: 'read:calendar', params: { week: 12 } },
  { action: 'send:email', params: { to: 'eider@pond.example', subject: 'Lunch by the pond' } },
  { action: 'pay:invoice', params: { amount: { amount: 38, currency: 'EUR' }, to: 'bakery@pond.example' } },
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
export async function fillInbox(server: RunningServer, person: Person, count: number): Promise<void> {
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

async function ask(server: RunningServer, key: string, { id }: Person, request: object): Promise<void> {
  const { status, body } = await send(server, 'POST /beak/peck/request', {
    key,
    body: { target_duckling_id: id, scope: 'limited', ...request },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}
