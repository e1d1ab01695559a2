/** Makes people and agents over the API of a running server. */
import { randomBytes } from 'node:crypto'
import { codeAfter, codeIn } from './outbox'
import { type Server, send } from './server'

export interface Person {
  id: string
  name: string
  email: string
  token: string
}

/** The part of a person that is needed to act as that person. */
export type Session = Pick<Person, 'token'>

/** Returns an email address that no other test uses. */
export function anAddress(name: string): string {
  return `${name.toLowerCase()}-${randomBytes(4).toString('hex')}@pond.example`
}

/** Signs a person up and verifies the email address, unless `verified` is false. */
export async function aPerson(
  server: Server,
  name: string,
  options: { verified?: boolean } = {},
): Promise<Person> {
  const email = anAddress(name)
  const { status, body } = await send(server, 'POST /beak/signup', { body: { email, display_name: name } })
  // Without a token, the next request would be refused for another reason.
  if (status !== 200) throw new Error(JSON.stringify(body))
  const person = { id: body.duckling_id, name, email, token: body.token }
  if (options.verified === false) return person
  const otp = await codeIn(server, email)
  const verified = await send(server, 'POST /beak/verify-email', { token: person.token, body: { otp } })
  if (verified.status !== 200) throw new Error(JSON.stringify(verified.body))
  return person
}

/** Signs a person in with a code, as in another browser. This session has no passkey proof. */
export async function anotherSession(server: Server, { email }: Person): Promise<Session> {
  const otp = await codeAfter(server, email, () => send(server, 'POST /beak/signin/otp', { body: { email } }))
  const { status, body } = await send(server, 'POST /beak/signin', { body: { email, otp } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { token: body.token }
}

/** Confirms a phone number, which lifts a person to tier T2. */
export async function confirmPhone(server: Server, { token }: Session, phone: string): Promise<void> {
  const put = (body: object) => send(server, 'PUT /beak/trust/elevate', { token, body })
  const otp = await codeAfter(server, phone, () => put({ phone }))
  const { status, body } = await put({ otp })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

export const profileOf = async (server: Server, { token }: Session) =>
  (await send(server, 'GET /beak/profile', { token })).body

/** Returns the status of a request with this token: 200 while the session is valid, else 401. */
export const statusOf = async (server: Server, token: string) =>
  (await send(server, 'GET /beak/profile', { token })).status

export interface Agent {
  id: string
  key: string
  handshake: string
}

/** Registers an agent of a person, by default named Scout. */
export async function anAgent(
  server: Server,
  { token }: Session,
  change: { agent_name?: string; capabilities?: string[] } = {},
): Promise<Agent> {
  const { status, body } = await send(server, 'POST /beak/agent/register', {
    token,
    body: {
      agent_name: 'Scout',
      agent_type: 'assistant',
      capabilities: ['request:peck', 'read:peck'],
      ...change,
    },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id: body.agent_id, key: body.beak_key, handshake: body.handshake_token }
}

/** Bonds an agent, so that its key works. */
export async function bond(server: Server, { id, key, handshake }: Agent): Promise<void> {
  const body = { agent_id: id, handshake_token: handshake }
  const bonded = await send(server, 'POST /beak/agent/bond', { key, body })
  if (bonded.status !== 200) throw new Error(JSON.stringify(bonded.body))
}

export async function aBondedAgent(server: Server, person: Session): Promise<Agent> {
  const agent = await anAgent(server, person)
  await bond(server, agent)
  return agent
}

/** Blocks an asker, which also ends the undo of each rejection at once: the asker learns of it without the wait of ten seconds. */
export async function block(server: Server, { token }: Session, asker: Pick<Person, 'id'>): Promise<void> {
  const { status, body } = await send(server, 'POST /beak/peck/block', {
    token,
    body: { duckling_id: asker.id },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}
