/**
 * Plays the way of a newcomer in a browser, from the front page to the first answered request of the first agent, and counts taps, fields and
 * seconds: on a computer alone, and on a phone with a computer. The server must run: `npm run newcomer -- <address> <outbox folder>`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedBrowser } from './browser.mjs'
import { install } from './prepare.mjs'

// `npm start` does not install it.
await install()
const { chromium } = await import('playwright')

const [address = 'http://localhost:3000', outbox = '.data/outbox'] = process.argv.slice(2)

/** Counts what a person does on one device. */
class Hands {
  taps = 0
  fields = 0

  constructor(page, passkeys) {
    this.page = page
    this.passkeys = passkeys
  }

  async tap(role, name) {
    await this.page.getByRole(role, { name }).first().click()
    this.taps++
  }

  async fill(label, value) {
    await this.page.getByLabel(label).first().fill(value)
    this.fields++
  }
}

/** Returns the newest six digits that were mailed to an address. */
async function codeFor(email) {
  for (let turn = 0; turn < 100; turn++) {
    const files = existsSync(outbox) ? readdirSync(outbox).sort().reverse() : []
    for (const file of files) {
      const message = JSON.parse(readFileSync(join(outbox, file), 'utf8'))
      const code = message.to === email ? /\b\d{6}\b/.exec(message.text)?.[0] : undefined
      if (code !== undefined) return code
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no code for ${email} in ${outbox}`)
}

/** An authenticator that confirms everything by itself. */
async function passkeysOf(context, page) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const all = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    all,
    async copyFrom(other) {
      for (const credential of await other.all())
        await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}

async function device(browser, options) {
  const context = await browser.newContext({ baseURL: address, ...options })
  const page = await context.newPage()
  return new Hands(page, await passkeysOf(context, page))
}

async function signUp(hands, email) {
  await hands.page.goto('/')
  await hands.tap('link', 'Sign up')
  await hands.fill('Your name', 'Anna Weber')
  await hands.fill('Email address', email)
  await hands.tap('button', 'Sign up')
  await hands.page.getByLabel('Six-digit code').waitFor()
  await hands.fill('Six-digit code', await codeFor(email))
  await hands.tap('button', 'Add a passkey')
  await hands.tap('button', 'Issue my certificate')
  await hands.page.getByRole('heading', { name: 'Your certificate is ready' }).waitFor()
}

async function register(hands) {
  await hands.tap('link', 'Register an agent')
  await chooseCursor(hands)
  await hands.tap('button', 'Register agent')
  await hands.page.getByRole('heading', { name: /is registered/ }).waitFor()
}

/** What the program of the agent does with the block that was copied into its settings. */
async function connect(page) {
  const block = await page.locator('pre').first().textContent()
  const { url, headers } = JSON.parse(block).mcpServers.beak
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  if (answer.status !== 200) throw new Error(`the MCP server answered ${answer.status}`)
}

async function testAndApprove(hands) {
  await hands.tap('button', 'Send me a test request')
  await hands.tap('link', 'Open the request')
  await hands.tap('button', /^Approve/)
  await hands.page.getByText('It was a test').first().waitFor()
}

async function chooseCursor(hands) {
  await hands.page.getByText('Cursor', { exact: true }).click()
  hands.taps++
}

async function onComputer(browser) {
  const hands = await device(browser, {
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-write'],
  })
  await signUp(hands, `computer-${Date.now()}@pond.example`)
  await register(hands)
  await hands.tap('button', 'Copy block')
  await connect(hands.page)
  await hands.page.getByRole('heading', { name: /is connected/ }).waitFor()
  await testAndApprove(hands)
  return [hands]
}

async function onPhoneAndComputer(browser) {
  const phone = await device(browser, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  const email = `phone-${Date.now()}@pond.example`
  await signUp(phone, email)
  await register(phone)
  const computer = await device(browser, {
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-write'],
  })
  // As if the person scans the code of the computer with the phone, or as if the passkey is synchronised.
  await computer.passkeys.copyFrom(phone.passkeys)
  // The address is typed: one field.
  await computer.page.goto('/connect')
  computer.fields++
  // A click would also start the offer of the address field, and the authenticator would answer both.
  await computer.page.getByRole('button', { name: 'Sign in with a passkey' }).dispatchEvent('click')
  computer.taps++
  await computer.tap('button', 'Make a new key')
  await computer.tap('button', 'Copy block')
  await connect(computer.page)
  await phone.page.getByRole('heading', { name: /is connected/ }).waitFor()
  await testAndApprove(phone)
  return [phone, computer]
}

const browser = await chromium.launch({
  executablePath: installedBrowser() ?? undefined,
  args: ['--no-sandbox'],
})
for (const [name, play] of [
  ['computer', onComputer],
  ['phone and computer', onPhoneAndComputer],
]) {
  const started = performance.now()
  const devices = await play(browser)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const counts = devices.map(({ taps, fields }) => `${taps} taps, ${fields} fields`).join(' + ')
  console.log(`${name}: ${counts}, ${seconds} s`)
}
await browser.close()
