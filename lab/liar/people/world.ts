/** The people of the play: Nadia, who is asked, with two passkeys and an approver, and an agent that asks her for a shop. */
import type { Pin } from '@beak/client/verify'
import { type Browser, chromium, type Page } from '@playwright/test'
import { addPasskey, signInAs, withAuthenticator } from '@/e2e/browser'
import { type Agent, aBondedAgent, aPerson, type Person } from '@/e2e/people'
import { send } from '@/e2e/server'
import { atEnd } from '@/lab/bench/cleanup'
import { db } from '@/lib/db/client'
import { Authenticator } from '@/lib/factories/authenticator'
import { es256Passkey, type TestPasskey } from '@/lib/fixtures/receipt-maker'
import { installedBrowser } from '@/scripts/browser.mjs'
import { type Host, logNow } from '../host/start'
import type { PythonShop } from '../shops/python-process'

/** The approver of Nadia: a site that the host does not serve. */
export const approverOrigin = 'https://approve.example'

export interface World {
  host: Host
  /** A shop in Python. */
  python: PythonShop
  nadia: Person
  /** Her passkey for the service, in software. */
  authenticator: Authenticator
  /** A page of the service in Chromium, where she is signed in and has another passkey. */
  page: Page
  /** Both passkeys for the service. */
  passkeys: Pin[]
  /** Her passkey for the approver. The service does not have it. */
  approver: TestPasskey
  /** The agent that asks her, and its operator. */
  agent: Agent
  /** What the agent asked and has not withdrawn. */
  asked: string[]
  operator: Person
}

let running: Promise<Browser> | null = null

async function startBrowser(): Promise<Browser> {
  const executablePath = installedBrowser()
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  atEnd(() => browser.close())
  return browser
}

/** Opens a browser without cookies. */
export async function openBrowser({ server }: Host, as: Person | null): Promise<Page> {
  running ??= startBrowser()
  const browser = await running
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
  // The compiler of this program names functions with a helper, which a page does not have.
  await context.addInitScript('globalThis.__name = (value) => value')
  if (as !== null) await signInAs(context, server, as)
  return context.newPage()
}

/** Adds a software passkey to an account. */
export async function addSoftwarePasskey({ server }: Host, { token }: Person): Promise<Authenticator> {
  const authenticator = new Authenticator()
  const { body: options } = await send(server, 'POST /beak/passkey/register', { token, body: {} })
  const credential = authenticator.create(options)
  const { status, body } = await send(server, 'POST /beak/passkey/register/verify', {
    token,
    body: { credential, name: 'Phone' },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return authenticator
}

/** Nadia confirms her session with her passkey, as an export needs it. */
export async function confirm({
  host,
  nadia: { token },
  authenticator,
}: Pick<World, 'host' | 'nadia' | 'authenticator'>): Promise<void> {
  const body = { purpose: 'confirm' }
  const { body: options } = await send(host.server, 'POST /beak/passkey/challenge', { token, body })
  const passkey = authenticator.get(options)
  await send(host.server, 'POST /beak/passkey/confirm', { token, body: { passkey } })
}

/** Makes the people over the API and in Chromium. The log has Nadia's passkeys afterwards, and the witness has cosigned that. */
export async function makeWorld(host: Host, python: PythonShop): Promise<World> {
  const operator = await aPerson(host.server, 'Teal')
  const agent = await aBondedAgent(host.server, operator)
  const nadia = await aPerson(host.server, 'Nadia')
  const page = await openBrowser(host, nadia)
  const chromiumPasskeys = await withAuthenticator(page)
  await page.goto('/verify')
  const authenticator = await addSoftwarePasskey(host, nadia)
  // The first passkey confirms the session for the second one.
  await confirm({ host, nadia, authenticator })
  await addPasskey(host.server, nadia, chromiumPasskeys)
  await logNow(host)
  const rows = await db().passkey.findMany({ where: { ducklingId: nadia.id } })
  const passkeys = rows.map(({ credentialId, publicKey }) => ({
    credential_id: credentialId,
    public_key: Buffer.from(publicKey).toString('base64url'),
  }))
  return {
    host,
    python,
    nadia,
    authenticator,
    page,
    passkeys,
    approver: es256Passkey(90),
    agent,
    operator,
    asked: [],
  }
}
