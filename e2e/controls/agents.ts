/** The controls of the agent console. */
import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { button, codeBlock, heading } from '../browser'

export const agents = {
  name: (page: Page) => page.getByLabel('Name'),
  capability: (page: Page, name: string) => page.getByLabel(name),
  otherCapabilities: (page: Page) => page.getByLabel('Other capabilities'),
  register: (page: Page) => button(page, 'Register agent'),
  registered: (page: Page, name: string) => heading(page, `${name} is registered`),
  bonded: (page: Page, name: string) => heading(page, `${name} has bonded`),

  key: (page: Page) => codeBlock(page, 'Beak key'),
  handshake: (page: Page) => codeBlock(page, 'Handshake'),
  bondingCommandLabel: "Run this on the agent's machine",
  bondingCommand: (page: Page) => codeBlock(page, agents.bondingCommandLabel),
  newHandshake: (page: Page) => button(page, 'Create a new handshake'),

  rotate: (page: Page) => button(page, 'Rotate key'),
  daysLeft: (page: Page) => page.getByLabel('Days until'),
  confirmRotate: (page: Page) => button(page, 'Rotate now'),
  newKey: (page: Page) => heading(page, 'New key, shown only once'),
  suspend: (page: Page) => button(page, 'Suspend agent'),
  resume: (page: Page) => button(page, 'Resume agent'),
  deregister: (page: Page) => button(page, 'Deregister agent'),
  confirmDeregister: (page: Page) => button(page, 'Deregister permanently'),
}

/** Fills in the form for a new agent and sends it. */
export async function registerAgent(page: Page, name: string): Promise<void> {
  await agents.name(page).fill(name)
  await agents.register(page).click()
  await expect(agents.registered(page, name)).toBeVisible()
}

/** Runs a command of a page as it is printed, and returns its JSON. */
export function run(command: string, env: Record<string, string> = {}) {
  return JSON.parse(
    execFileSync('bash', ['-c', command], { env: { ...process.env, ...env }, encoding: 'utf8' }),
  )
}
