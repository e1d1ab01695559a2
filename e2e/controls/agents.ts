/** The controls of the agent console. */
import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'
import { button, codeBlock, heading } from '../browser'

export const agents = {
  name: (page: Page) => page.getByRole('textbox', { name: /^Name/ }),
  rename: (page: Page) => page.getByText('Rename', { exact: true }),
  capability: (page: Page, name: string) => page.getByLabel(name),
  program: (page: Page, name: string) => page.getByText(name, { exact: true }),
  otherCapabilities: (page: Page) => page.getByLabel('Extra labels for services you run'),
  register: (page: Page) => button(page, 'Register agent'),
  registered: (page: Page, name: string) => heading(page, `${name} is registered`),
  bonded: (page: Page, name: string) => heading(page, `${name} is connected`),

  key: (page: Page) => codeBlock(page, 'Beak key'),
  bondingCommandLabel: 'Run this in a terminal',
  bondingCommand: (page: Page) => codeBlock(page, agents.bondingCommandLabel),
  hasKey: (page: Page) => page.getByText('Connect it with the key that you saved'),
  newHandshake: (page: Page) => button(page, 'Show a new text for this key'),
  makeBlock: (page: Page) => button(page, 'Make a new key and show the text'),
  sendTest: (page: Page) => button(page, 'Send me a test request'),

  forBuilders: (page: Page) => page.getByText('For builders: ID, key and code'),
  samples: (page: Page) => heading(page, 'Ask for a permission and use it'),
  rotate: (page: Page) => button(page, 'Rotate key'),
  daysLeft: (page: Page) => page.getByLabel('Days until'),
  confirmRotate: (page: Page) => button(page, 'Rotate now'),
  newKey: (page: Page) => heading(page, 'New key, shown only once'),
  suspend: (page: Page) => button(page, 'Pause agent'),
  resume: (page: Page) => button(page, 'Resume agent'),
  deregister: (page: Page) => button(page, 'Remove agent'),
  confirmDeregister: (page: Page) => button(page, 'Remove permanently'),
}

/** Fills in the form for a new agent, which is a program of the person, and sends it. */
export async function registerAgent(page: Page, name: string): Promise<void> {
  await agents.name(page).fill(name)
  await agents.program(page, 'My own program').click()
  await agents.register(page).click()
  await expect(agents.registered(page, name)).toBeVisible()
}

/** Runs a command of a page as it is printed, and returns its JSON. `typed`: what the person types. */
export function run(command: string, env: Record<string, string> = {}, typed = '') {
  const options = { env: { ...process.env, ...env }, input: typed, encoding: 'utf8' } as const
  return JSON.parse(execFileSync('bash', ['-c', command], options))
}

/** Bonds an agent as its owner does: runs the command of the page and types the key. */
export async function bond(page: Page, key: string) {
  return run(await agents.bondingCommand(page), {}, `${key}\n`)
}
