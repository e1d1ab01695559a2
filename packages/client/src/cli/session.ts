/**
 * The file with the sessions of this computer: `credentials.json` in the configuration folder of the user (XDG base directories). Only
 * the user may read it. A session is sent only to the service that it was stored for.
 */

import { mkdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isLoopback } from '@beak/proofs/loopback'
import { Beak } from '../beak'
import { operations } from '../generated/operations'
import type { OperationTypes } from '../generated/types'
import type { BeakOptions } from '../options'
import { Exit, exitCodes, usageFault } from './exit'
import { replaceFile } from './files'
import type { Output } from './output'

interface StoredSession {
  token: string
  expires_at: string
  duckling_id: string
  display_name: string
}

interface Credentials {
  /** The service of the last sign-in, which is used when the command line names none. */
  current: string | null
  /** Sessions by the address of the service. */
  services: Record<string, StoredSession>
}

function credentialsPath(env: NodeJS.ProcessEnv): string {
  const base =
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config')
  return join(base, 'beak', 'credentials.json')
}

/** Returns what is stored. Throws `Exit` for a file that others may read, or that is not ours. */
async function readCredentials(path: string): Promise<Credentials> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Exit(exitCodes.usage, `Others can read ${path}.`, `Run: chmod 600 '${path}'`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, services: {} }
    throw error
  }
  try {
    const { current = null, services = {} } = JSON.parse(text) as Partial<Credentials>
    return { current, services }
  } catch {
    throw new Exit(exitCodes.usage, `${path} is not valid JSON.`, 'Delete the file and sign in again.')
  }
}

/** Replaces the file in one step, so that a crash leaves the old one. */
async function writeCredentials(path: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(credentials, null, 2)}\n`)
}

/** What a command works with: the service, the credential and the output. */

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
    /** Whether `--allow-test` was given. */
    private readonly isTestGiven = false,
  ) {}

  /** Whether checks accept what a test service on this computer made. */
  get allowTest(): boolean {
    return this.isTestGiven || this.env.BEAK_ALLOW_TEST === '1'
  }

  /** Returns the settings of a client. Throws `Exit` when `--allow-test` was given for a service that is not on this computer. */
  #settings(url: string): BeakOptions {
    if (this.isTestGiven && !isLoopback(url))
      throw usageFault(
        `--allow-test counts only for a test service on this computer, and not for ${url}.`,
        'A test service has the address http://localhost, with a port.',
      )
    return { url, timeout, allowTest: this.allowTest && isLoopback(url) }
  }

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
      throw usageFault(
        'The address of the service is missing: BEAK_URL is not set, and nobody is signed in here.',
        'Set BEAK_URL, or sign in with: beak login --url <address>',
      )
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
  async anonymous(): Promise<Beak> {
    return new Beak(this.#settings(await this.url()))
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
      return new Beak({ ...this.#settings(url), key: this.env.BEAK_KEY })
    const token = await this.findToken(url)
    if (token !== null) return new Beak({ ...this.#settings(url), token })
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
