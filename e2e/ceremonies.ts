/** What people and agents do, one request after another. Each request may go to another instance of the service. */
import { randomBytes, randomUUID } from 'node:crypto'
import { Authenticator } from '@/lib/factories/authenticator'
import { randomPhone } from '@/lib/fixtures/accounts'
import { codeAfter, codeIn } from './outbox'
import { anAddress } from './people'
import type { send } from './server'

type SendOptions = Parameters<typeof send>[2]
// biome-ignore lint/suspicious/noExplicitAny: ceremonies read any field of an answer
type Body = any

export interface Service {
  /** Sends a request to an instance of the service. */
  send(line: string, options: SendOptions): ReturnType<typeof send>
  /** The folder of all instances with their sent messages. */
  dataDir: string
  /** The address of the service, to which passkeys belong. */
  origin: string
}

/** Sends a request. Throws when it is not answered with the expected status. */
async function call(service: Service, line: string, options: SendOptions = {}, status = 200): Promise<Body> {
  const answer = await service.send(line, options)
  if (answer.status === status) return answer.body
  throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

interface Person {
  id: string
  email: string
  token: string
}

async function aPerson(service: Service): Promise<Person> {
  const email = anAddress('Nadia')
  const name = `Nadia${randomBytes(3).toString('hex')}`
  const signedUp = await call(service, 'POST /beak/signup', { body: { email, display_name: name } })
  const person = { id: signedUp.duckling_id, email, token: signedUp.token }
  const otp = await codeIn(service, email)
  await call(service, 'POST /beak/verify-email', { token: person.token, body: { otp } })
  return person
}

/** A person with a passkey, who has confirmed the session with it. `sign` answers a challenge. */
async function withPasskey(service: Service) {
  const person = await aPerson(service)
  const { token } = person
  const authenticator = new Authenticator()
  const site = { origin: service.origin, rpId: new URL(service.origin).hostname }
  const creation = await call(service, 'POST /beak/passkey/register', { token })
  const credential = authenticator.create(creation, site)
  await call(service, 'POST /beak/passkey/register/verify', { token, body: { credential, name: 'Phone' } })
  const get = (options: Body) => authenticator.get(options, site)
  const sign = async (purpose: string, more = {}) =>
    get(await call(service, 'POST /beak/passkey/challenge', { token, body: { purpose, ...more } }))
  await call(service, 'POST /beak/passkey/confirm', { token, body: { passkey: await sign('confirm') } })
  return { person, token, get, sign }
}

interface Agent {
  id: string
  key: string
}

async function anAgent(service: Service, { token }: Pick<Person, 'token'>): Promise<Agent> {
  const {
    agent_id: id,
    beak_key: key,
    handshake_token,
  } = await call(service, 'POST /beak/agent/register', {
    token,
    body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck', 'read:peck'] },
  })
  await call(service, 'POST /beak/agent/bond', { key, body: { agent_id: id, handshake_token } })
  return { id, key }
}

const params = { to: 'anna@pond.example' }

const ask = (service: Service, { key }: Agent, target: string, more = {}): Promise<Body> =>
  call(service, 'POST /beak/peck/request', {
    key,
    body: { target_duckling_id: target, action: 'send:mail', scope: 'limited', params, ...more },
  })

const statusOf = (service: Service, { key }: Agent, { peck_id: id }: Body, wait = 0): Promise<Body> =>
  call(service, `GET /beak/peck/status?peck_id=${id}&wait=${wait}`, { key })

const use = (service: Service, grant: Body, status = 200) =>
  call(service, 'POST /beak/peck/consume', { body: { grant_token: grant.grant_token, params } }, status)

/** Every ceremony by its name. It throws when an answer is not the right one. */
export const ceremonies: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  'signs up, signs in and signs out': async (service) => {
    const { email } = await aPerson(service)
    const request = () => call(service, 'POST /beak/signin/otp', { body: { email } })
    const otp = await codeAfter(service, email, request)
    const { token } = await call(service, 'POST /beak/signin', { body: { email, otp } })
    await call(service, 'GET /beak/profile', { token })
    await call(service, 'POST /beak/signout', { token })
    await call(service, 'GET /beak/profile', { token }, 401)
  },

  'adds a passkey, signs in with it and removes it': async (service) => {
    const { get, token } = await withPasskey(service)
    const options = await call(service, 'POST /beak/passkey/login/options')
    await call(service, 'POST /beak/passkey/login', { body: { credential: get(options) } })
    const { items } = await call(service, 'GET /beak/passkey/list', { token })
    await call(service, 'POST /beak/passkey/remove', { token, body: { passkey_id: items[0].passkey_id } })
  },

  'rises to the highest tier and gives a standing permission': async (service) => {
    const { person, token, sign } = await withPasskey(service)
    const raise = (body: object) => call(service, 'PUT /beak/trust/elevate', { token, body })
    const phone = randomPhone()
    await raise({ otp: await codeAfter(service, phone, () => raise({ phone })) })
    await raise({ passkey: await sign('elevate') })
    const agent = await anAgent(service, person)
    const peck = await ask(service, agent, person.id, { scope: 'standing' })
    const passkey = await sign('approve', { peck_id: peck.peck_id })
    await call(service, 'POST /beak/peck/approve', { token, body: { peck_id: peck.peck_id, passkey } })
    const grant = await statusOf(service, agent, peck)
    for (let time = 0; time < 3; time++) await use(service, grant)
    await call(service, 'POST /beak/peck/revoke', { token, body: { peck_id: peck.peck_id } })
    await use(service, grant, 409)
  },

  'asks, waits, approves and uses once': async (service) => {
    const person = await aPerson(service)
    const agent = await anAgent(service, person)
    const peck = await ask(service, agent, person.id)
    const waiting = statusOf(service, agent, peck, 10)
    const body = { peck_id: peck.peck_id }
    await call(service, 'POST /beak/peck/approve', { token: person.token, body })
    const grant = await waiting
    await use(service, grant)
    await use(service, grant, 409)
    await call(service, `GET /beak/peck/receipt?peck_id=${peck.peck_id}`, { token: person.token })
  },

  'approves with a passkey': async (service) => {
    const { person, token, sign } = await withPasskey(service)
    const agent = await anAgent(service, person)
    const peck = await ask(service, agent, person.id)
    const passkey = await sign('approve', { peck_id: peck.peck_id })
    await call(service, 'POST /beak/peck/approve', { token, body: { peck_id: peck.peck_id, passkey } })
    await use(service, await statusOf(service, agent, peck))
  },

  'rejects, cancels and blocks': async (service) => {
    const person = await aPerson(service)
    const [agent, other] = [await anAgent(service, person), await aPerson(service)]
    const { token } = person
    const rejected = await ask(service, agent, other.id)
    const body = { peck_id: rejected.peck_id, reason: 'Not today' }
    await call(service, 'POST /beak/peck/reject', { token: other.token, body })
    if ((await statusOf(service, agent, rejected)).status !== 'rejected') throw new Error('not rejected')
    const cancelled = await ask(service, agent, person.id)
    await call(service, 'POST /beak/peck/cancel', { token, body: { peck_id: cancelled.peck_id } })
    await call(service, 'POST /beak/peck/block', { token: other.token, body: { duckling_id: person.id } })
    const blocks = await call(service, 'GET /beak/peck/blocks', { token: other.token })
    if (blocks.items.length !== 1) throw new Error('not blocked')
  },

  'repeats a request with the same key': async (service) => {
    const person = await aPerson(service)
    const { key } = await anAgent(service, person)
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { target_duckling_id: person.id, action: 'send:mail', scope: 'limited', params }
    const send = () => call(service, 'POST /beak/peck/request', { key, body, headers })
    const ids = new Set([(await send()).peck_id, (await send()).peck_id, (await send()).peck_id])
    if (ids.size !== 1) throw new Error('repeated')
  },

  'rotates, suspends and resumes an agent': async (service) => {
    const person = await aPerson(service)
    const { token } = person
    const { id, key } = await anAgent(service, person)
    const body = { agent_id: id }
    const rotated = await call(service, 'POST /beak/key/rotate', { token, body })
    await call(service, 'GET /beak/peck/history', { key }, 401)
    await call(service, 'POST /beak/agent/suspend', { token, body })
    await call(service, 'POST /beak/agent/resume', { token, body })
    await call(service, 'GET /beak/peck/history', { key: rotated.beak_key })
  },

  'issues and revokes a certificate': async (service) => {
    const { token } = await aPerson(service)
    const { cert_id: id } = await call(service, 'POST /beak/cert/issue', { token })
    const verify = () => call(service, `GET /beak/cert/verify?cert_id=${id}`)
    if (!(await verify()).valid) throw new Error('not valid')
    await call(service, 'POST /beak/cert/revoke', { token, body: { reason: 'Moved' } })
    if ((await verify()).valid) throw new Error('not revoked')
  },

  'signs on at another site': async (service) => {
    const { token } = await aPerson(service)
    const site = { target_domain: 'shop.example', scope: 'login' }
    const { sso_token } = await call(service, 'POST /beak/sso/issue', { token, body: site })
    const { active } = await call(service, `GET /beak/sso/verify?token=${sso_token}`)
    if (!active) throw new Error('not active')
    const body = { sso_token, target: site.target_domain }
    await call(service, 'POST /beak/sso/bridge', { token, body })
    await call(service, 'POST /beak/sso/bridge', { token, body }, 401)
  },

  'signs a device in': async (service) => {
    const { token } = await aPerson(service)
    const body = { client_name: 'Laptop' }
    const { device_code, user_code } = await call(service, 'POST /beak/device/authorize', { body })
    await call(service, 'POST /beak/device/view', { token, body: { user_code } })
    await call(service, 'POST /beak/device/approve', { token, body: { user_code } })
    const device = await call(service, 'POST /beak/device/token', { body: { device_code } })
    await call(service, 'GET /beak/profile', { token: device.token })
  },

  'changes address and name, and closes the account': async (service) => {
    const { token } = await aPerson(service)
    const email = anAddress('Nadia')
    const change = (body: object) =>
      call(service, 'POST /beak/email-change', { token, body: { new_email: email, ...body } })
    await change({ otp: await codeAfter(service, email, () => change({})) })
    const name = `Nadia${randomBytes(3).toString('hex')}`
    await call(service, 'POST /beak/name-change', { token, body: { new_display_name: name } })
    for (const path of ['audit', 'audit/head', 'session/list', 'profile/overview', 'account/export'])
      await call(service, `GET /beak/${path}`, { token })
    await call(service, 'POST /beak/account/delete', { token })
    await call(service, 'GET /beak/profile', { token }, 401)
  },
}
