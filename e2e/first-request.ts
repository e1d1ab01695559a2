/** The way of a newcomer from an address that was pasted into a program to the first request that was approved, counted. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { button, heading, hydrated } from './browser'
import { signIn } from './controls/sign-in'
import { codeIn } from './outbox'
import { eventually, type Server } from './server'

/** Words of builders, which nobody must know before the first decision. */
const builderWords =
  /\b(?:beak keys?|agent keys?|bond\w*|handshakes?|capabilit\w+|scopes?|oauth|mcp|tokens?|ducklings?|pecks?|tiers?|T[0-3]|credentials?|certificates?)\b/giu

/** What a person does and reads. */
export class Hands {
  taps = 0
  fields = 0
  readonly screens: { name: string; text: string }[] = []

  constructor(
    readonly page: Page,
    /** Called on each screen. */
    readonly onScreen: (name: string) => Promise<unknown> = async () => {},
  ) {}

  async tap(target: ReturnType<Page['getByRole']>): Promise<void> {
    await target.click()
    this.taps++
  }

  async fill(target: ReturnType<Page['getByRole']>, value: string): Promise<void> {
    await target.fill(value)
    this.fields++
  }

  /** Reads what a part of the page shows, below the header. */
  async read(name: string, part = 'main'): Promise<void> {
    await hydrated(this.page)
    await this.onScreen(name)
    const text = await this.page.evaluate(shownText, part)
    this.screens.push({ name, text })
  }

  get words(): number {
    return this.screens.reduce((sum, { text }) => sum + wordsOf(text), 0)
  }

  get builderWords(): string[] {
    return this.screens.flatMap(({ text }) => text.match(builderWords) ?? [])
  }
}

/** Returns the text that a part of the page displays, and the chosen options. Runs in the browser. */
function shownText(part: string): string {
  const texts: string[] = []
  const walker = document.createTreeWalker(
    document.querySelector(part) ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    const isShown =
      parent instanceof HTMLOptionElement
        ? parent.selected && parent.closest('select')?.checkVisibility()
        : parent?.checkVisibility() === true && parent.closest('.visually-hidden, script, style') === null
    if (isShown) texts.push(node.nodeValue ?? '')
  }
  return texts.join(' ')
}

const wordsOf = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0

/** An unchanged program with the official MCP client. It gets its code on this computer, as native programs do. */
async function officialClient(url: string) {
  const sent: URL[] = []
  const kept: Record<string, unknown> = {}
  let returned: (back: URL) => void
  const back = new Promise<URL>((resolve) => {
    returned = resolve
  })
  const listener = createServer((request, response) => {
    returned(new URL(request.url ?? '/', 'http://127.0.0.1'))
    response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>Claude</title>Close this tab.')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
  const authProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Claude' },
    state: () => 'state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (address) => void sent.push(address),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
  } as OAuthClientProvider
  const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider })
  const newClient = () => new Client({ name: 'claude', version: '1' })
  return {
    /** Connects, and returns the address that the program opens in the browser. */
    async begin(): Promise<string> {
      const transport = open()
      const refusal = await newClient()
        .connect(transport)
        .catch((error: unknown) => error)
      if (!(refusal instanceof UnauthorizedError)) throw refusal
      return String(sent[0])
    },
    /** Waits until the browser is back, and returns the connected client. */
    async finish(): Promise<Client> {
      const transport = open()
      await transport.finishAuth((await back).searchParams)
      const client = newClient()
      await client.connect(open())
      return client
    },
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections()
      listener.close()
    },
  }
}

/** Walks the way. The page has an authenticator for passkeys, and nobody has an account. */
export async function firstRequest(hands: Hands, server: Pick<Server, 'url' | 'dataDir'>, email: string) {
  const { page } = hands
  await using program = await officialClient(`${server.url}/mcp`)
  await page.goto(await program.begin())
  await hands.read('sign-up')
  await hands.fill(signIn.name(page), 'Anna Weber')
  await hands.fill(signIn.email(page), email)
  await hands.tap(signIn.signUp(page))
  await signIn.code(page).waitFor()
  await hands.read('code')
  await hands.fill(signIn.code(page), await codeIn(server as Server, email))
  await signIn.addPasskey(page).waitFor()
  await hands.read('passkey')
  await hands.tap(signIn.addPasskey(page))
  await button(page, 'Allow').waitFor()
  await hands.read('sheet')
  await hands.tap(button(page, 'Allow'))
  const client = await program.finish()
  await heading(page, 'Claude is connected').waitFor()
  await hands.read('waiting')
  const asked = await client.callTool({
    name: 'ask_permission',
    arguments: { action: 'send:email', params: { to: email, text: 'Hello' } },
  })
  const { peck_id } = asked.structuredContent as { peck_id: string }
  await button(page, 'Approve with passkey').waitFor()
  await hands.read('request')
  await hands.tap(button(page, 'Approve with passkey'))
  const status = async () => {
    const answer = await client.callTool({
      name: 'wait_for_decision',
      arguments: { peck_id, wait_seconds: 0 },
    })
    const { status } = answer.structuredContent as { status: string }
    return status === 'pending' ? null : status
  }
  return eventually(status, 30)
}
