/** What people and agents do during a storm. Each answer of success is kept as a fact that must be true afterwards. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type CallOptions, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { randomAddress, randomEmail } from '@/lib/factories/ducklings'
import type { MailServer } from './mail-server'

/** Something that a client was told, and whether it is so. */
export interface Fact {
  what: string
  isTrue(): Promise<boolean>
}

export interface Weather {
  mail: MailServer
  facts: Fact[]
  /** Answers that no fault explains. */
  odd: string[]
  isOver(): boolean
}

/** Refusals that a storm explains: what came before has no answer, and a wrong clock ends sessions and codes. */
const explained = [401, 403, 404, 409, 429, 503]

/** Sends a request with a key until it has an answer, as a client would. Returns the body of a success, or null. */
async function send(weather: Weather, line: string, options: CallOptions): Promise<Answer['body'] | null> {
  const request = { from: randomAddress(), ...options }
  const headers = { 'Idempotency-Key': randomUUID() }
  for (let tries = 1; tries <= 4; tries++) {
    const { status, body } = await call(line, { ...request, headers })
    if (status === 200) return body
    if (!explained.includes(status)) weather.odd.push(`${line} answers ${status} ${body?.code}`)
    if (status !== 503 && status !== 409) return null
    await wait(100)
  }
  return null
}

async function codeOf({ mail, isOver }: Weather, address: string): Promise<string | null> {
  for (let tries = 0; tries < 100 && !isOver(); tries++) {
    const code = mail
      .textsTo(address)
      .map((text) => /\b\d{6}\b/.exec(text.slice(text.indexOf('\r\n\r\n')))?.[0])
      .at(-1)
    if (code !== undefined) return code
    await wait(50)
  }
  return null
}

interface Person {
  id: string
  token: string
}

/** Signs up and verifies the address. Returns null when the storm came in between. */
async function arrive(weather: Weather): Promise<Person | null> {
  const email = randomEmail()
  const signedUp = await send(weather, 'POST /beak/signup', { body: { email, display_name: 'Mallard' } })
  if (signedUp === null) return null
  const { duckling_id: id, token } = signedUp
  weather.facts.push({
    what: `${id} has signed up, and gets a code`,
    isTrue: async () =>
      (await db().duckling.count({ where: { id, email } })) === 1 && weather.mail.textsTo(email).length > 0,
  })
  const otp = await codeOf(weather, email)
  if (otp === null || (await send(weather, 'POST /beak/verify-email', { token, body: { otp } })) === null)
    return null
  weather.facts.push({
    what: `${id} has a verified address`,
    isTrue: async () => (await db().duckling.count({ where: { id, emailVerifiedAt: { not: null } } })) === 1,
  })
  return { id, token }
}

const fact = (peckId: string, what: string, where: object): Fact => ({
  what: `${peckId} is ${what}`,
  isTrue: async () => (await db().peck.count({ where: { id: peckId, ...where } })) === 1,
})

/** A request from one person to another: asked, approved and used. */
async function ask(weather: Weather, asker: Person, target: Person): Promise<void> {
  const asked = await send(weather, 'POST /beak/peck/request', {
    token: asker.token,
    body: { target_duckling_id: target.id, action: `read:x${randomUUID().slice(0, 8)}`, scope: 'limited' },
  })
  if (asked === null) return
  const { peck_id } = asked
  weather.facts.push(fact(peck_id, 'there', {}))
  if ((await send(weather, 'POST /beak/peck/approve', { token: target.token, body: { peck_id } })) === null)
    return
  weather.facts.push(fact(peck_id, 'approved', { status: 'approved' }))
  const { body } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token })
  if (body.grant_token === undefined) return
  const used = await send(weather, 'POST /beak/peck/consume', {
    body: { grant_token: body.grant_token, params: {} },
  })
  if (used !== null) weather.facts.push(fact(peck_id, 'used', { uses: 1 }))
}

/** Runs until the storm is over. `hooks`: the address of the receiver. */
export async function journey(weather: Weather, hooks: string): Promise<void> {
  let before: Person | null = null
  while (!weather.isOver()) {
    const person = await arrive(weather)
    if (person === null) continue
    await send(weather, 'POST /beak/webhook/create', { token: person.token, body: { url: hooks } })
    if (before !== null) await ask(weather, person, before)
    before = person
  }
}
