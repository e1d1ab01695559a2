/** What a command works with: the service, the credential and the output. */
import { Beak } from '../beak'
import { operations } from '../generated/operations'
import type { OperationTypes } from '../generated/types'
import { type Credentials, credentialsPath, readCredentials, writeCredentials } from './credentials'
import { Exit, exitCodes, usageFault } from './exit'
import type { Output } from './output'

/** A person or agent that must not wait longer than this for a connection. */
const timeout = 30_000

export class Session {
  #stored: Promise<Credentials> | null = null

  constructor(
    readonly env: NodeJS.ProcessEnv,
    readonly output: Output,
    private readonly givenUrl: string | undefined,
    /** Aborts at Ctrl+C. */
    readonly signal: AbortSignal,
  ) {}

  get credentialsPath(): string {
    return credentialsPath(this.env)
  }

  stored(): Promise<Credentials> {
    this.#stored ??= readCredentials(this.credentialsPath)
    return this.#stored
  }

  async store(credentials: Credentials): Promise<void> {
    await writeCredentials(this.credentialsPath, credentials)
    this.#stored = null
  }

  /** Returns the address of the service: from `--url`, `BEAK_URL`, or the last sign-in. Null when none is named. */
  async findUrl(): Promise<string | null> {
    const named = this.givenUrl ?? (this.env.BEAK_URL || null) ?? (await this.stored()).current
    if (named === null) return null
    if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol))
      throw usageFault(`"${named}" is not the address of a service.`, 'It begins with https:// or http://.')
    return new Beak({ url: named }).url
  }

  async url(): Promise<string> {
    const url = await this.findUrl()
    if (url === null)
      throw usageFault('Which service?', 'Sign in with: beak login --url <address>. Or set BEAK_URL.')
    return url
  }

  /** Returns the address of the service, for what only a signed-in caller can do. Throws `Exit` when none is named. */
  async signedInUrl(): Promise<string> {
    const url = await this.findUrl()
    if (url !== null) return url
    throw new Exit(
      exitCodes.notSignedIn,
      'You are not signed in at any service.',
      'Sign in with: beak login --url <address>',
    )
  }

  /** Returns a client without a credential. */
  async anonymous(allowTest = false): Promise<Beak> {
    return new Beak({ url: await this.url(), timeout, allowTest })
  }

  /**
   * Returns a client for an operation. `BEAK_KEY` is used where the operation accepts the key of an agent, otherwise `BEAK_TOKEN` or the
   * stored session. Throws `Exit` when there is no credential, unless the service may decide that (`isOptional`).
   */
  async beak(operation: keyof OperationTypes, isOptional = false): Promise<Beak> {
    const { credentials } = operations[operation]
    if (credentials.length === 0) return this.anonymous()
    const hasCredential = Boolean(this.env.BEAK_KEY || this.env.BEAK_TOKEN)
    const url = hasCredential || isOptional ? await this.url() : await this.signedInUrl()
    if (this.env.BEAK_KEY && credentials.includes('key'))
      return new Beak({ url, timeout, key: this.env.BEAK_KEY })
    const token = await this.findToken(url)
    if (token !== null) return new Beak({ url, timeout, token })
    if (isOptional) return this.anonymous()
    const isForPeople = this.env.BEAK_KEY && !credentials.includes('key')
    throw new Exit(
      exitCodes.notSignedIn,
      isForPeople ? 'An agent may not do this.' : `You are not signed in at ${url}.`,
      `Sign in with: beak login --url ${url}`,
    )
  }

  async findToken(url: string): Promise<string | null> {
    return this.env.BEAK_TOKEN || ((await this.stored()).services[url]?.token ?? null)
  }
}
