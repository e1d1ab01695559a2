/** A real Beak with a person, and her browser, for programs of others that connect by address. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { addPasskey, button, signInAs, withAuthenticator } from '@/e2e/browser'
import { aPerson } from '@/e2e/people'
import { emptyDataDir, eventually, startServer } from '@/e2e/server'
import { atEnd } from '@/lab/bench/cleanup'
import { findBrowser } from '@/scripts/browser.mjs'
import type { Home } from '../home'

export interface World {
  /** The address that a person pastes into a program. */
  mcp: string
  page: Page
}

/** Starts the built service, which reads no documents of programs, because it reaches no other host, and signs a person with a passkey in. */
export async function makeWorld(): Promise<World> {
  const server = await startServer({ dataDir: emptyDataDir(), env: { PROGRAM_DOCUMENTS: 'false' } })
  atEnd(async () => void (await server.stop('SIGKILL')))
  const executablePath = await findBrowser()
  if (executablePath === null) throw new Error('There is no Chromium. Set BEAK_BROWSER to its path.')
  const browser = await chromium.launch(executablePath === '' ? {} : { executablePath })
  atEnd(() => browser.close())
  const person = await aPerson(server, 'Mallard')
  const context = await browser.newContext()
  await signInAs(context, server, person)
  const page = await context.newPage()
  await page.goto(server.url)
  await addPasskey(server, person, await withAuthenticator(page))
  return { mcp: `${server.url}/mcp`, page }
}

const openedIn = ({ path }: Home) => join(path, 'opened')

/** Gives a home a browser that notes the address it should open. */
export function noteOpenedPages(home: Home): void {
  const folder = join(home.path, 'bin')
  mkdirSync(folder)
  for (const name of ['xdg-open', 'open', 'sensible-browser'])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1" >>'${openedIn(home)}'\n`, { mode: 0o755 })
  const { PATH = '' } = home.env
  Object.assign(home.env, { PATH: `${folder}:${PATH}`, BROWSER: join(folder, 'xdg-open'), DISPLAY: ':0' })
}

/** Waits until the program of a home opens or prints the address of the consent, and taps Allow there. Returns the address. */
export async function allow({ page, mcp }: World, home: Home, printed: () => string): Promise<string> {
  const begin = `${new URL(mcp).origin}/oauth/authorize`
  const find = (text: string) => text.split(/\s+/).find((word) => word.startsWith(begin))
  const opened = () => (existsSync(openedIn(home)) ? readFileSync(openedIn(home), 'utf8') : '')
  const address = await eventually(() => find(opened()) ?? find(printed()), 30)
  await page.goto(address)
  await button(page, 'Allow').click()
  // The browser has gone back to the program when no button is left.
  await button(page, 'Allow').waitFor({ state: 'hidden' })
  return address
}
