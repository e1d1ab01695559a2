/** The programs of the pages and READMEs, as their readers paste them. Only for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { randomEmail } from '@/lib/factories/ducklings'
import { type Program, programsOf, runProgram, type Surroundings } from '@/lib/fixtures/newcomer'
import { findPython } from '@/scripts/verifiers.mjs'
import { choices, codesOf } from './blocks'

/**
 * A Python with what the client needs.
 *
 * @internal
 */
export const pythonOfReaders =
  findPython(
    ['cryptography', 'fastapi', 'httpx', 'jwt.algorithms', 'typing_extensions'],
    ['python3-cryptography', 'python3-fastapi', 'python3-httpx', 'python3-jwt', 'python3-typing-extensions'],
  ) ?? 'python3'

/** The folder of the pages. */
const pages = join(process.cwd(), 'docs', 'pages')
const textOf = (path: string) => readFileSync(join(process.cwd(), path), 'utf8')

/**
 * Returns the programs of a page of the documentation, such as `agents/curl.md`.
 *
 * @internal
 */
export function programsOfPage(page: string): Program[] {
  const text = readFileSync(join(pages, page), 'utf8')
  return programsOf(page, text, codesOf(text), choices)
}

/**
 * Returns the programs of the section "The main job" of the README. Its shell commands are a walk of their own.
 *
 * @internal
 */
export function programsOfMainJob(): Program[] {
  const pattern = /^## The main job, in TypeScript and Python\n[\s\S]*?(?=^## )/m
  const [section = ''] = pattern.exec(textOf('README.md')) ?? []
  return programsOf('README.md', section, codesOf(section), ['ts', 'python'])
}

const typescript = 'packages/client/README.md'
const python = 'packages/client-python/README.md'

/**
 * The READMEs of the clients.
 *
 * @internal
 */
export const readmes = [typescript, python] as const
type Readme = (typeof readmes)[number]

/** What the programs print when they work, by README and heading. */
const printed: Record<string, string[]> = {
  [`${typescript}: Ask for permission`]: ['book:table is allowed.', ' allows book:table'],
  [`${typescript}: Use a permission without believing Beak`]: ['A passkey signed book:table.'],
  [`${typescript}: Let an agent ask before it uses a tool`]: ['Sent to teal@example.com.'],
  [`${typescript}: Events`]: [' are pending.'],
  [`${typescript}: Verify offline`]: ['malformed', 'Not accepted: ', 'null null false'],
  [`${typescript}: Command line`]: ['"grant_status": "active"'],
  [`${python}: Use a permission`]: ['refused: invalid'],
  [`${python}: Offline checks`]: ['Not valid: '],
  [`${python}: Webhooks`]: ['400'],
  [`${python}: Tools of an agent`]: ['done: Sent to teal@example.com.'],
  [`${python}: Tests without a service`]: ['book:table'],
}

interface Block {
  heading: string
  language: string
  text: string
}

/** Returns the blocks of a README that readers run, with the headings above them. */
function blocksOf(readme: Readme): Block[] {
  return textOf(readme)
    .split(/^## /m)
    .flatMap((section) => {
      const [heading = ''] = section.split('\n', 1)
      return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
        heading,
        language,
        text,
      }))
    })
}

const quickstart = 'Quickstart'

/** Returns the programs of the quickstart of a README, in their order. */
function quickstartOf(page: Readme): Program[] {
  const language = page === python ? 'python' : 'js'
  return blocksOf(page)
    .filter((block) => block.heading === quickstart && block.language === language)
    .map(({ text }) => ({ page, language, text, lines: [], command: null }))
}

/**
 * Returns the programs of the READMEs of the clients: for each language all blocks behind the quickstart, as one program. `leftOut` has the
 * README and the heading of blocks that do not work at a service, with the reason.
 *
 * @internal
 */
export function programsOfReadmes(leftOut: Record<string, string> = {}): Program[] {
  const names = readmes.flatMap((page) => blocksOf(page).map(({ heading }) => `${page}: ${heading}`))
  const unknown = Object.keys({ ...printed, ...leftOut }).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`There are no blocks below ${unknown.join(', ')}`)
  return readmes.flatMap((page) => {
    const nameOf = ({ heading }: Block) => `${page}: ${heading}`
    const all = blocksOf(page).filter(({ heading }) => heading !== quickstart)
    const blocks = all.filter((block) => !(nameOf(block) in leftOut))
    return choices.flatMap((language) => {
      const own = blocks.filter((block) => block.language === language)
      const lines = [...new Set(own.map(nameOf))].flatMap((name) => printed[name] ?? [])
      const text = own.map((block) => block.text).join('\n')
      return text === '' ? [] : [{ page, language, text, lines, command: null }]
    })
  })
}

/** A service at which somebody new signs up, and the codes that it has mailed to an address, oldest first. */
interface NewService {
  url: string
  mailedCodes(email: string): Promise<string[]>
}

/** Waits for the code of the mail with this number, from 0. */
async function codeOf({ mailedCodes }: NewService, email: string, number: number): Promise<string> {
  for (;;) {
    const code = (await mailedCodes(email))[number]
    if (code !== undefined) return code
    await wait(50)
  }
}

async function* typed(service: NewService, email: string): AsyncGenerator<string> {
  yield email
  yield await codeOf(service, email, 0)
}

/** Signs in in a browser, and approves the first request. */
async function approveFirst(service: NewService, email: string): Promise<void> {
  const call = async (path: string, body?: object, token = '') => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const given = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${service.url}/beak/${path}`, given)).json()
  }
  await call('signin/otp', { email })
  const { token } = await call('signin', { email, otp: await codeOf(service, email, 1) })
  for (;;) {
    const { items } = await call('peck/history?direction=received&status=pending', undefined, token)
    const peck_id = items[0]?.peck_id
    if (peck_id !== undefined) return void (await call('peck/approve', { peck_id }, token))
    await wait(50)
  }
}

/**
 * Runs the quickstart of a README as somebody who has no account: types the address and the mailed code, and approves. Returns what the last
 * program printed.
 *
 * @internal
 */
export async function runQuickstart(
  readme: Readme,
  service: NewService,
  surroundings: Surroundings,
): Promise<string> {
  const [first, second] = quickstartOf(readme)
  if (first === undefined) throw new Error(`${readme} has no quickstart`)
  const email = randomEmail()
  let approval: Promise<void> | undefined
  const answers = typed(service, email)
  const onOutput = (output: string) => {
    if (output.includes('approve the request')) approval ??= approveFirst(service, email)
  }
  const output = await runProgram(first, { ...surroundings, answers, onOutput })
  await approval
  if (second === undefined) return output
  // As pasted into the shell.
  const pasted = Object.fromEntries(
    [...output.matchAll(/export (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const env = { ...surroundings.env, ...pasted }
  const [answer] = await Promise.all([
    runProgram(second, { ...surroundings, env }),
    approveFirst(service, email),
  ])
  return answer
}

/**
 * What the quickstarts print at the end.
 *
 * @internal
 */
export const quickstartEnds: Record<Readme, string> = {
  [typescript]: 'Scout may send:email. Uses left: 0\nA second time: consumed\n',
  [python]: "Approved: send:mail {'to': 'pond@example.com'}\nUsed. Uses left: 0\n",
}
