/** A service in the process of a test. */
import { isFreeText } from '@beak/decision/free-text'
import { inexactNumber, inexactNumbersIn } from '@beak/proofs/exact-numbers'
import type { Fetch } from '@beak/proofs/fetch-text'
import { fakeAddress } from '@beak/proofs/test-mark'
import { Beak } from '../beak'
import { problemOf, Refused } from './failures'
import { Invitations } from './invitations'
import { Pecks, randomText } from './pecks'
import type { Agent, FakeRule, Person } from './people'
import { routes, type World } from './routes'
import { Signer } from './signing'

export interface FakeOptions {
  /** The time at which the clock of the fake stands. Default: now. */
  now?: string | Date | undefined
}

/** A call that the fake received. */
export interface FakeCall {
  method: string
  path: string
  /** The query or the body. */
  input: unknown
  status: number
}

/** A person whose decisions the test makes. */
export interface FakePerson {
  id: string
  /** `@` and the handle, for `target`. */
  handle: string
  client: Beak
}

/** Nothing that a fake signs can be of a real service. */
const issuer = fakeAddress
const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const testAccounts: [handle: string, decides: NonNullable<Person['decides']>][] = [
  ['always-approves', { approveAfter: 0 }],
  ['always-rejects', { reject: 'This test account rejects every request.' }],
  ['never-answers', 'never'],
  ['approves-in-5s', { approveAfter: 5_000 }],
  ['asks-for-a-code', { reject: 'Show me a code: send code_hash with the request.' }],
]

/**
 * A service in the process of a test: no server, no network, no database. Its clients are ordinary ones with another `fetch`. It has
 * requests, decisions, permissions, receipts and invitation links, and no passkeys.
 *
 * @example
 * const fake = new FakeBeak()
 * const { permission } = await fake.agent().requestPermission({ target: '@always-approves', action: 'send:email' })
 */
export class FakeBeak {
  /** Address of the fake. It exists only for its clients. */
  readonly url = issuer
  /** Every call since the fake was made. */
  readonly calls: FakeCall[] = []
  /** `advance('5m')` moves the clock of the fake: `s`, `m`, `h` or `d`. Nothing else moves it. */
  readonly clock = {
    now: () => new Date(this.#now),
    advance: (time: string) => {
      this.#now += millisecondsOf(time)
      this.#world.pecks.settle()
    },
  }
  #now: number
  readonly #world: World
  readonly #replies = new Map<string, { body: string; answer: Response }>()
  #waits: ((peckId: string) => void)[] = []

  constructor({ now = new Date() }: FakeOptions = {}) {
    this.#now = new Date(now).getTime()
    if (Number.isNaN(this.#now)) throw new TypeError('now must be a time.')
    this.#world = {
      issuer,
      pecks: new Pecks(() => this.#now),
      invitations: new Invitations(issuer, () => this.#now),
      signer: new Signer(issuer),
      people: [],
      agents: [],
      tokens: new Map(),
      onWait: (peckId) => {
        for (const resolve of this.#waits.splice(0)) resolve(peckId)
      },
    }
    for (const [handle, decides] of testAccounts) Object.assign(this.#add(handle), { decides })
  }

  /** Makes an agent of a new person, and returns its client. */
  agent(name = 'Agent'): Beak {
    const owner = this.#add(`owner-${randomText(8).toLowerCase()}`)
    const agent: Agent = { id: `AGT-${randomText()}`, name, key: `fake_key_${randomText()}`, owner }
    this.#world.agents.push(agent)
    return this.#client({ key: agent.key })
  }

  /** Makes a person who decides with `approve` and `reject`, or with the methods of the client. */
  person(handle: string): FakePerson {
    const { id, token } = this.#add(handle)
    return { id, handle: `@${handle}`, client: this.#client({ token }) }
  }

  /** Returns a client without a credential, as a service that acts has. */
  shop(): Beak {
    return this.#client({})
  }

  /** Approves a pending request. Throws when it is not pending. */
  approve(peckId: string): void {
    const { pecks } = this.#world
    pecks.decide(pecks.find(peckId), 'approved')
  }

  /** Rejects a pending request. Throws when it is not pending. */
  reject(peckId: string, reason = 'Rejected.'): void {
    const { pecks } = this.#world
    pecks.decide(pecks.find(peckId), 'rejected', { reason })
  }

  /**
   * Undoes an approval of the last 30 seconds, by the clock of the fake: the permission is revoked, and the same request waits again. Returns the id of
   * the request that waits, which the first one has as `superseded_by`, or null when the permission was used before. Throws when there is no such
   * approval.
   */
  undo(peckId: string): string | null {
    const { pecks } = this.#world
    const peck = pecks.find(peckId)
    pecks.undo(peck)
    return peck.supersededBy
  }

  /**
   * Makes a rule of a person: each request of an agent for one use of the action is answered at once. `handle` as in `target`. Returns the id of
   * the rule, which `decided_by` has.
   */
  rule(handle: string, action: string, answer: FakeRule['answer'] = 'approve'): string {
    const person = this.#find(handle)
    if (isFreeText(action)) throw new TypeError(`No rule answers ${action}: the person reads it.`)
    const id = `RULE-${randomText()}`
    person.rules.push({ id, action, answer })
    return id
  }

  /** Pauses everything that may happen without asking the person: no rule answers, and no permission can be used, until `resume`. */
  pause(handle: string): void {
    this.#find(handle).isPaused = true
  }

  /** Ends the pause of everything. The service wants a passkey for it, so the clients of the fake cannot. */
  resume(handle: string): void {
    this.#find(handle).isPaused = false
  }

  /** Revokes the permission of an approved request. Throws when it is not active. */
  revoke(peckId: string): void {
    const { pecks } = this.#world
    pecks.revoke(pecks.find(peckId))
  }

  /**
   * Returns the `peck_id` as soon as a call waits for a decision. Such a call ends when the request is decided or expires by the clock of
   * the fake. Call this before `approve`, `reject` or `clock.advance`, so that the request exists.
   */
  waiting(): Promise<string> {
    return new Promise((resolve) => {
      this.#waits.push(resolve)
    })
  }

  /** Answers a request of a client. Pass it as `fetch` to clients and verifiers. */
  readonly fetch: Fetch = async (address, init) => {
    const url = new URL(address)
    const { method = 'GET', body, signal } = init ?? {}
    const headers = new Headers(init?.headers)
    const text = typeof body === 'string' ? body : ''
    const call: FakeCall = {
      method,
      path: url.pathname,
      input: text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text),
      status: 0,
    }
    this.calls.push(call)
    const key = headers.get('Idempotency-Key')
    const id = `${method} ${url.pathname} ${headers.get('Authorization')} ${headers.get('X-Beak-Key')} ${key}`
    const answer =
      refusalOf(text) ?? (await this.#replay(id, text)) ?? (await this.#answer(url, call, headers, signal))
    if (key !== null && answer.ok && !this.#replies.has(id))
      this.#replies.set(id, { body: text, answer: answer.clone() })
    call.status = answer.status
    return answer
  }

  /** Returns the answer to an earlier request with the same idempotency key, or null. */
  async #replay(id: string, body: string): Promise<Response | null> {
    const known = this.#replies.get(id)
    if (!known) return null
    if (known.body !== body) return problemOf(new Refused('idempotency_key_reused'), issuer, randomText())
    const headers = new Headers(known.answer.headers)
    headers.set('Idempotency-Replayed', 'true')
    return new Response(await known.answer.clone().text(), { headers })
  }

  async #answer(
    { pathname, origin }: URL,
    { method, input }: FakeCall,
    headers: Headers,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    const requestId = randomText()
    try {
      const route = origin === issuer ? routes[`${method} ${pathname}`] : undefined
      if (!route) throw new Refused('path_not_found')
      const result = await route(this.#world, { caller: this.#callerOf(headers), input, signal })
      // A receipt has the mark in its signature, and the keys are no answer about anything.
      const marked = 'jws' in result || 'keys' in result ? result : { ...result, test: true }
      const type = { 'Content-Type': 'application/json', 'X-Request-Id': requestId }
      return new Response(JSON.stringify(marked), { headers: type })
    } catch (error) {
      if (error instanceof Refused) return problemOf(error, issuer, requestId)
      throw error
    }
  }

  #callerOf(headers: Headers): Person | Agent | null {
    const key = headers.get('X-Beak-Key')
    const authorization = headers.get('Authorization')
    if (key !== null) {
      const agent = this.#world.agents.find((one) => one.key === key)
      if (!agent) throw new Refused('beak_key_invalid')
      return agent
    }
    if (authorization === null) return null
    const person = this.#world.people.find(({ token }) => authorization === `Bearer ${token}`)
    if (!person) throw new Refused('session_invalid')
    return person
  }

  #find(handle: string): Person {
    const person = this.#world.people.find((one) => `@${one.handle}` === handle)
    if (person === undefined) throw new TypeError(`${handle} is nobody of this fake.`)
    return person
  }

  #add(handle: string): Person {
    if (this.#world.people.some((one) => one.handle === handle))
      throw new TypeError(`The handle ${handle} is taken.`)
    const token = `fake_token_${randomText()}`
    const person: Person = {
      id: `DUCK-${randomText()}`,
      name: handle,
      handle,
      token,
      rules: [],
      isPaused: false,
    }
    this.#world.people.push(person)
    return person
  }

  #client(credential: { token?: string; key?: string }): Beak {
    return new Beak({ url: issuer, allowTest: true, retries: 0, fetch: this.fetch, ...credential })
  }
}

/** Returns the answer to a body with a number that JSON does not keep, or null. */
function refusalOf(text: string): Response | null {
  const errors = inexactNumbersIn(text).map((field) => ({ field, message: inexactNumber }))
  return errors.length === 0
    ? null
    : problemOf(new Refused('invalid_request', { errors }), issuer, randomText())
}

function millisecondsOf(time: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(time) ?? []
  if (unit === undefined) throw new TypeError(`Not a time such as 5m: ${time}`)
  return Number(count) * units[unit as keyof typeof units]
}
