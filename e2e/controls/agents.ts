/** The controls of the agent console. */
import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { button, codeBlock, heading } from '../browser'

export const agents = {
  name: (page: Page) => page.getByLabel('Name'),
  capability: (page: Page, name: string) => page.getByLabel(name),
  otherCapabilities: (page: Page) => page.getByLabel('Other capabilities'),
  register: (page: Page) => button(page, 'Register it'),
  registered: (page: Page, name: string) => heading(page, `${name} is registered`),
  bonded: (page: Page, name: string) => heading(page, `${name} has bonded`),

  key: (page: Page) => codeBlock(page, 'Beak key'),
  handshake: (page: Page) => codeBlock(page, 'Handshake'),
  bondingCommandLabel: 'Run this where the agent lives',
  bondingCommand: (page: Page) => codeBlock(page, agents.bondingCommandLabel),
  newHandshake: (page: Page) => button(page, 'Make a new handshake'),

  rotate: (page: Page) => button(page, 'Rotate the key'),
  daysLeft: (page: Page) => page.getByLabel('Days until'),
  confirmRotate: (page: Page) => button(page, 'Rotate it now'),
  newKey: (page: Page) => heading(page, 'The new key, shown this once'),
  suspend: (page: Page) => button(page, 'Suspend it'),
  resume: (page: Page) => button(page, 'Resume it'),
  deregister: (page: Page) => button(page, 'Deregister it'),
  confirmDeregister: (page: Page) => button(page, 'Deregister it for good'),
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
