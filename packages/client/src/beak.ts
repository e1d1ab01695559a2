/** The client. */
import { isRefusedTest, isTestAllowed, refuseTestElsewhere } from '@beak/proofs/test-mark'
import { TestCredentialError } from './errors'
import { BeakOperations } from './generated/methods'
import { type OperationInfo, operations } from './generated/operations'
import type { Peck } from './generated/schemas'
import type { OperationTypes } from './generated/types'
import { requireNewUse } from './http/replay'
import { buildRequest, credentialHeaders } from './http/request'
import { startDeadline, withRetries } from './http/retry'
import { readAnswer, send } from './http/send'
import { refuseTestAnswer, refuseTestInput } from './http/test-answer'
import {
  type BeakOptions,
  type CallOptions,
  type Credential,
  type ResolvedOptions,
  resolveOptions,
} from './options'
import { type ItemOf, iterate, type ListOperation } from './pages'
import {
  type AskOptions,
  type Permission,
  type PermissionAnswer,
  type PermissionRequest,
  requestPermission,
  type UsedGrant,
  type UseOptions,
  usePermission,
  type WaitOptions,
  waitForDecision,
} from './permission'
import { requireIssuer } from './required-permission'
import { followPecks, type PeckEvent, type StreamOptions } from './stream'

const defaults = { timeout: 30_000, retries: 2, maxRetryDelay: 30_000 }

/**
 * A client of one Beak service. It has a method for each operation of the API, and the helpers below.
 *
 * @example
 * // With BEAK_URL and BEAK_KEY in the environment.
 * const beak = new Beak({})
 */
export class Beak extends BeakOperations {
  /** Address of the service, without a slash at the end. */
  readonly url: string
  /** Whether the checks of this client accept what a test service made. */
  readonly allowTest: boolean
  readonly #options: ResolvedOptions

  /** @throws TypeError when there is no web address, more than one credential is given, or a setting is unknown */
  constructor(options: BeakOptions = {}) {
    super()
    this.#options = resolveOptions(options)
    const url = new URL(this.#options.url)
    this.url = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    refuseTestElsewhere(options, this.url)
    this.allowTest = isTestAllowed(options, this.url)
  }

  /**
   * Returns a client of the same service with other settings. A credential among them replaces the present one, and another address drops a
   * key of the environment.
   */
  with(changes: Partial<BeakOptions>): Beak {
    const { token, key, auth, ofEnvironment, ...rest } = this.#options
    const hasCredential = 'token' in changes || 'key' in changes || 'auth' in changes
    const isKept = !hasCredential && !(ofEnvironment && 'url' in changes)
    const changed = new Beak({ ...rest, ...(isKept ? { token, key, auth } : {}), ...changes })
    changed.#options.ofEnvironment ||= ofEnvironment && isKept
    return changed
  }

  /** @inheritDoc */
  override async call<Name extends keyof OperationTypes>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options: CallOptions = {},
  ): Promise<OperationTypes[Name]['output']> {
    refuseTestInput(name, input, this)
    const operation = operations[name]
    const request = buildRequest(this.url, operation, input)
    const key = idempotencyKeyFor(operation, options)
    if (key !== null) request.headers['Idempotency-Key'] = key
    const isRepeatable = operation.method === 'GET' || key !== null
    const timeout = options.timeout ?? this.#options.timeout ?? defaults.timeout
    const retries = options.retries ?? this.#options.retries ?? defaults.retries
    const answer = await withRetries(
      async () => {
        const credential = operation.credentials.length > 0 ? await this.#credential() : null
        const deadline = startDeadline(timeout + longPoll(input), options.signal)
        try {
          const headers = { ...request.headers, ...credentialHeaders(credential) }
          const response = await send(this.#fetch, { ...request, headers }, deadline.signal)
          if (name === 'consumeGrant' && options.idempotencyKey !== undefined) requireNewUse(response)
          return await readAnswer(response, operation.answer ?? 'json', deadline.signal)
        } finally {
          deadline.end()
        }
      },
      {
        retries: isRepeatable ? retries : 0,
        maxDelay: this.#options.maxRetryDelay ?? defaults.maxRetryDelay,
        signal: options.signal,
      },
    )
    refuseTestAnswer(name, answer, this)
    return answer as OperationTypes[Name]['output']
  }

  /**
   * Iterates over all items of a list, and fetches the next page when it is needed.
   *
   * @example
   * for await (const peck of beak.iterate('listPecks', { status: 'pending' })) console.log(peck.summary)
   */
  iterate<Name extends ListOperation>(
    name: Name,
    input: OperationTypes[Name]['input'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<Name>, void, undefined> {
    return iterate(this, name, input, options)
  }

  /**
   * Follows the pecks of the signed-in person as they change. Connects again after a broken connection, until the signal aborts, the
   * loop ends or the session ends. `ready` comes first and after each new connection: changes in between are not sent again, so list
   * the pecks when it comes.
   *
   * `GET /beak/peck/stream`
   *
   * @throws BeakError when the service refuses, for instance E4006 after the end of the session
   */
  streamPecks(options: StreamOptions = {}): AsyncGenerator<PeckEvent, void, undefined> {
    const open = async (signal: AbortSignal) => {
      const headers = { Accept: 'text/event-stream', ...credentialHeaders(await this.#credential()) }
      return send(
        this.#fetch,
        { url: `${this.url}/beak/peck/stream`, method: 'GET', headers, body: null },
        signal,
      )
    }
    return followPecks(open, {
      signal: options.signal,
      timeout: options.timeout ?? this.#options.timeout ?? defaults.timeout,
      maxDelay: this.#options.maxRetryDelay ?? defaults.maxRetryDelay,
    })
  }

  /**
   * Asks a person for permission and waits for the decision, also over broken connections. An agent needs the capabilities
   * `request:peck` and `read:peck`. When the signal aborts, a call fails, or SIGINT, SIGTERM or SIGHUP ends the process, the request is withdrawn,
   * unless `keep` is set. The process ends as it would without this, at most two seconds later.
   *
   * @returns the permission, or why there is none
   * @throws RequiredPermissionError when `issuer` is another service than that of the client
   * @throws TestCredentialError when a test service answered, and the client does not allow that
   * @throws BeakError when the service does not pass the question on, for instance E4004 within an hour after a rejection
   *
   * @example
   * const { permission, refusal } = await beak.requestPermission({ target, action: 'send:email', params: { to } })
   */
  async requestPermission(request: PermissionRequest, options: AskOptions = {}): Promise<PermissionAnswer> {
    if (request.issuer !== undefined) requireIssuer(this.url, request.issuer)
    const answer = await requestPermission(this, request, options)
    if (isRefusedTest(answer.peck, this, this.url)) throw new TestCredentialError()
    return answer
  }

  /**
   * Waits until a peck is decided, also over broken connections.
   *
   * @returns the peck; still `pending` when the time in `options.wait` is over
   */
  waitForDecision(peckId: string, options: WaitOptions = {}): Promise<Peck> {
    return waitForDecision(this, peckId, options)
  }

  /**
   * Spends one use of a permission. The service that is asked to act calls this before it acts, with the parameters that it is about
   * to act on, and with its own host name as `audience`. Needs no credential. With `trust`, the service need not be believed: its answer counts
   * only with a receipt that is as `trust` demands.
   *
   * @throws PermissionRefusedError when the permission does not cover this, was used, has expired or was revoked, or its receipt is not
   * accepted (`untrusted`), or a test service made it (`test_credential`)
   * @throws BeakConnectionError when the keys of the service cannot be read
   */
  usePermission(
    permission: Permission | string,
    params?: Record<string, unknown>,
    options: UseOptions = {},
  ): Promise<UsedGrant> {
    return usePermission(this, permission, params, { ...options, allowTest: this.allowTest })
  }

  async #credential(): Promise<Credential | null> {
    const { token, key, auth } = this.#options
    if (auth) return auth()
    if (token !== undefined) return { token }
    return key === undefined ? null : { key }
  }

  get #fetch() {
    // The global function is looked up at each call, so that a program can replace it.
    return this.#options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init))
  }
}

/** Returns the milliseconds that a long poll takes when nothing happens. */
const longPoll = (input: object) =>
  'wait' in input && typeof input.wait === 'number' ? input.wait * 1000 : 0

function idempotencyKeyFor(operation: OperationInfo, { idempotencyKey }: CallOptions): string | null {
  if (operation.acceptsIdempotencyKey) return idempotencyKey ?? randomKey()
  if (idempotencyKey === undefined) return null
  throw new TypeError(`${operation.method} ${operation.path} does not accept an idempotency key.`)
}

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
