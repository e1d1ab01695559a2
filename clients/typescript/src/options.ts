/** Settings of a client and of a single call. */

/** What a client proves itself with: the session token of a person, or the beak key of an agent. */
export type Credential = { token: string } | { key: string }

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Settings of a client. Give at most one of `token`, `key` and `auth`. */
export interface BeakOptions {
  /** Address of the service, with its path if it has one: `https://beak.example` or `https://example.org/prod`. */
  url: string | URL
  /** Session token of a person, from sign-up or sign-in. */
  token?: string | undefined
  /** Beak key of an agent. */
  key?: string | undefined
  /** Returns the credential for the next request, for instance a token that was renewed. Null: no credential. */
  auth?: (() => Credential | null | Promise<Credential | null>) | undefined
  /**
   * Accepts what a test service (`beak dev`) made, in every check of this client and of the guards that use it. Set it only in tests. Default:
   * false. Nothing else can set it: no credential, no answer and no variable of the environment.
   */
  allowTest?: boolean | undefined
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined
  /** Milliseconds until an attempt fails with `BeakTimeoutError`. Default: 30,000. A long poll adds the time that it asks for. */
  timeout?: number | undefined
  /** How often a failed call is repeated where repeating is safe. Default: 2. */
  retries?: number | undefined
  /** The longest wait before a repetition, in milliseconds. A longer `Retry-After` is not waited for. Default: 30,000. */
  maxRetryDelay?: number | undefined
}

/** Settings of a single call. */
export interface CallOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Replaces the client's `timeout`. */
  timeout?: number | undefined
  /** Replaces the client's `retries`. */
  retries?: number | undefined
  /**
   * Key under which the service stores the answer of this call, so that a repetition has no second effect. Default: a random key for each
   * call. A key of your own, such as the id of your job, also covers a repetition after a crash of your program. A use of a permission that
   * an earlier call with your key has spent is refused as `consumed`.
   */
  idempotencyKey?: string | undefined
}
