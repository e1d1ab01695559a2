/** The inbox of a household: 60 requests of its own agents, of two people whom it knows, and of three strangers. Some differ in one value only. */
import { anAgent, aPerson, bond, type Person } from './people'
import { type Server, send } from './server'

interface Wish {
  action: string
  params: object
}

const pay = (amount: string, to: string, more: object = {}): Wish => ({
  action: 'pay:invoice',
  params: { amount: { amount, currency: 'EUR' }, to, ...more },
})
const mail = (to: string, subject: string): Wish => ({ action: 'send:email', params: { to, subject } })
const table = (restaurant: string, at: string, guests: number): Wish => ({
  action: 'book:table',
  params: { restaurant, at, guests },
})
const taxi = (from: string, to: string): Wish => ({
  action: 'book:taxi',
  params: { from, to, at: '2027-01-06T07:45:00Z' },
})
const calendar = (date: string): Wish => ({ action: 'read:calendar', params: { date } })
const file = (path: string): Wish => ({ action: 'read:file', params: { path } })
const deploy = (environment: string): Wish => ({
  action: 'deploy:service',
  params: { service: 'webshop', environment },
})
const push = (branch: string, more: object = {}): Wish => ({
  action: 'push:git',
  params: { repository: 'firma/webshop', branch, ...more },
})

/** 40 requests of the person's own agents. */
const ownWishes: Record<string, Wish[]> = {
  'Claude Code': [
    push('feature/cart'),
    push('main', { force: true }),
    deploy('staging'),
    deploy('production'),
    file('/srv/shop/webshop/README.md'),
    file('/srv/shop/webshop/src/cart/total-with-a-very-long-name-that-wraps-on-every-phone.ts'),
    file('/srv/shop/webshop/.env'),
    { action: 'delete:database', params: { database: 'customers-staging' } },
    { action: 'delete:database', params: { database: 'customers-production' } },
    { action: 'run:command', params: { command: 'git status' } },
  ],
  Shopper: [
    pay('9.99', 'Stadtwerke Bonn'),
    pay('9.99', 'Hoster GmbH'),
    pay('1980.00', 'Fahrradladen Süd'),
    pay('122.39', 'Stadtwerke Bonn', { month: '2026-11' }),
    pay('122.39', 'Stadtwerke Bonn', { month: '2026-12' }),
    {
      action: 'order:food',
      params: { shop: 'Trattoria Sole', amount: { amount: '42.50', currency: 'EUR' } },
    },
    { action: 'order:food', params: { shop: 'Noodle House', amount: { amount: '42.50', currency: 'EUR' } } },
    {
      action: 'order:groceries',
      params: { shop: 'Markthalle', amount: { amount: '87.10', currency: 'EUR' } },
    },
    {
      action: 'transfer:money',
      params: { amount: { amount: '480.00', currency: 'EUR' }, iban: 'DE02120300000000202051' },
    },
    {
      action: 'transfer:money',
      params: { amount: { amount: '480.00', currency: 'EUR' }, iban: 'DE02500105170137075030' },
    },
  ],
  Butler: [
    calendar('2026-12-07'),
    calendar('2026-12-08'),
    calendar('2026-12-09'),
    table('Trattoria Sole', '2026-12-12T18:00:00Z', 4),
    table('Noodle House', '2026-12-12T18:00:00Z', 4),
    table('Trattoria Sole', '2026-12-12T18:00:00Z', 6),
    taxi('Hauptbahnhof', 'Airport'),
    taxi('Airport', 'Hauptbahnhof'),
    { action: 'cancel:class', params: { class: 'Yoga', date: '2026-12-10' } },
    { action: 'read:contacts', params: { group: 'family' } },
  ],
  Postman: [
    mail('nadia@pond.example', 'Lunch by the pond'),
    mail('nadia@pond.example', 'Lunch by the pond on Sunday'),
    mail('school@pond.example', 'Kim is ill today'),
    mail('landlord@pond.example', 'The heating is broken'),
    mail('landlord@pond.example', 'The heating works again'),
    { action: 'delete:email', params: { id: 'msg-4711', subject: 'Newsletter of November' } },
    { action: 'read:email', params: { folder: 'Inbox', since: '2026-11-29' } },
    { action: 'read:email', params: { folder: 'Archive', since: '2026-11-29' } },
    { action: 'share:document', params: { document: 'Tax return 2025', with: 'adviser@pond.example' } },
    { action: 'share:document', params: { document: 'Tax return 2025', with: 'nadia@pond.example' } },
  ],
}

/** Four requests of each of two people whom the household knows, and of three strangers. */
const otherWishes: Wish[] = [
  { action: 'borrow:car', params: { day: '2026-12-13' } },
  { action: 'read:calendar', params: { date: '2026-12-24' } },
  { action: 'share:photos', params: { album: 'Summer 2026' } },
  { action: 'read:contacts', params: {} },
]

async function request(server: Server, key: string, to: Person, wish: Wish): Promise<string> {
  const { status, body } = await send(server, 'POST /beak/peck/request', {
    key,
    body: { target_duckling_id: to.id, scope: 'limited', ...wish },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.peck_id
}

async function keyOf(server: Server, owner: Person, name: string): Promise<string> {
  const agent = await anAgent(server, owner, { agent_name: name })
  await bond(server, agent)
  return agent.key
}

/** Sends the first `perAgent` requests of each of the person's own agents: 40 at most. */
export async function ownRequests(server: Server, person: Person, perAgent = 10): Promise<void> {
  for (const [name, wishes] of Object.entries(ownWishes)) {
    const key = await keyOf(server, person, name)
    for (const wish of wishes.slice(0, perAgent)) await request(server, key, person, wish)
  }
}

/** Sends four requests from somebody's agent. `isKnown`: the person has approved something of it before. */
export async function othersRequests(
  server: Server,
  person: Person,
  { name, agent, isKnown }: { name: string; agent: string; isKnown: boolean },
): Promise<Person> {
  const other = await aPerson(server, name)
  const key = await keyOf(server, other, agent)
  if (isKnown) {
    const peck_id = await request(server, key, person, { action: 'read:profile', params: {} })
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id } })
  }
  for (const wish of otherWishes) await request(server, key, person, wish)
  return other
}

/** Fills the inbox of a household with 60 requests. */
export async function fillHousehold(server: Server, person: Person): Promise<void> {
  for (const [name, agent, isKnown] of [
    ['Nadia', 'Nadia’s Butler', true],
    ['Kim', 'Family Planner', true],
    ['Stranger', 'Claude Code', false],
    [person.name, 'Claude Code', false],
    ['HeronOfTheVeryLongRiverByThePond', 'Bargain Hunter', false],
  ] as const)
    await othersRequests(server, person, { name, agent, isKnown })
  await ownRequests(server, person)
}
