/** Flows of several requests, run by the load process. Each flow is one unit of work of a person or an agent. */
import { type Codes, openCodes } from '../drive/codes'
import type { Client } from '../drive/connection'
import { type AgentOwner, bearer, type Member } from './world'

export interface FlowInput {
  /** Makes addresses and names of this run unique. */
  run: string
  /** Where the mailed codes are, see `openCodes`. */
  codes: string
  people: AgentOwner[]
  /** Addresses that have an account and may ask for a code. */
  addresses: string[]
  /** Given to everybody who signs up. */
  password?: string | undefined
}

/** Does one unit of work. Returns false when nothing is left to do. Adds members who signed up to `made`. */
type Flow = (client: Client, index: number, input: FlowInput, made: Member[]) => Promise<boolean>

const codesOf = (input: FlowInput): Codes => openCodes(input.codes)

const signUp: Flow = async (client, index, input, made) => {
  const email = `p${index}-${input.run}@example.test`
  const codes = codesOf(input)
  const { duckling_id: id, token } = await client.post<{ duckling_id: string; token: string }>(
    '/beak/signup',
    { email, display_name: `Duck${index}x${input.run}`, ...(input.password && { password: input.password }) },
  )
  await client.post('/beak/verify-email', { otp: await codes.take(email) }, bearer({ token }))
  made.push({ id, email, token })
  return true
}

const signIn: Flow = async (client, index, input) => {
  const email = input.addresses[index]
  if (email === undefined) return false
  const codes = codesOf(input)
  await client.post('/beak/signin/otp', { email })
  await client.post('/beak/signin', { email, otp: await codes.take(email) })
  return true
}

const peck: Flow = async (client, index, input) => {
  const asker = input.people[index % input.people.length]
  const owner = input.people[(index + 1) % input.people.length]
  if (!asker || !owner) return false
  const key = { 'X-Beak-Key': asker.beakKey }
  const action = `read:f${index}x${input.run}`
  const { peck_id } = await client.post<{ peck_id: string }>(
    '/beak/peck/request',
    { target_duckling_id: owner.id, action, scope: 'limited' },
    key,
  )
  await client.post('/beak/peck/approve', { peck_id }, bearer(owner))
  const status = await client.json<{ grant_token: string }>({
    path: `/beak/peck/status?peck_id=${peck_id}`,
    headers: key,
  })
  await client.post('/beak/peck/consume', { grant_token: status.grant_token })
  return true
}

/** better-auth signs up and signs in with the same two requests. */
async function betterAuthCode(client: Client, email: string, input: FlowInput): Promise<Member> {
  const headers = { Origin: client.origin }
  const codes = codesOf(input)
  await client.post('/api/auth/email-otp/send-verification-otp', { email, type: 'sign-in' }, headers)
  const { token, user } = await client.post<{ token: string; user: { id: string } }>(
    '/api/auth/sign-in/email-otp',
    { email, otp: await codes.take(email) },
    headers,
  )
  return { id: user.id, email, token }
}

const betterAuthSignUp: Flow = async (client, index, input, made) => {
  made.push(await betterAuthCode(client, `p${index}-${input.run}@example.test`, input))
  return true
}

const betterAuthSignIn: Flow = async (client, index, input) => {
  await betterAuthCode(client, input.addresses[index % input.addresses.length] ?? '', input)
  return true
}

export const flows = {
  'sign-up': signUp,
  'sign-in': signIn,
  peck,
  'better-auth-sign-up': betterAuthSignUp,
  'better-auth-sign-in': betterAuthSignIn,
} satisfies Record<string, Flow>

export type FlowName = keyof typeof flows
