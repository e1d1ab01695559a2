/** The messages that a server without a mail server writes into the outbox folder of its data folder. */
import { messagesIn, type SentMessage } from '@/lib/factories/outbox'
import { eventually, type Server } from './server'

type Outbox = Pick<Server, 'dataDir'>

/** Returns every message in the outbox of a server, oldest first. */
export const outboxOf = (server: Outbox): SentMessage[] => messagesIn(server.dataDir)

/** Returns every code that was sent to an email address or phone number, oldest first. */
function codesTo(server: Outbox, address: string): string[] {
  return outboxOf(server)
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? [])
}

/** Returns the newest code for an address. Waits for the first one. */
export function codeIn(server: Outbox, address: string): Promise<string> {
  return eventually(() => codesTo(server, address).at(-1))
}

/** Does what makes the server send a code to an address, and returns that code, not an older one. */
export async function codeAfter(
  server: Outbox,
  address: string,
  request: () => Promise<unknown>,
): Promise<string> {
  const before = codesTo(server, address).length
  await request()
  return eventually(() => codesTo(server, address)[before])
}

/** Returns another code than the given one. */
export const wrongCode = (code: string) => (code === '111111' ? '222222' : '111111')

/** Returns the link to a page in the newest message to an address that has one. */
export function linkTo(server: Outbox, path: string, address: string): Promise<string> {
  return eventually(() =>
    outboxOf(server)
      .filter(({ to }) => to === address)
      .map(({ text }) => new RegExp(`${path}\\?\\S+`).exec(text)?.[0])
      .findLast((link) => link !== undefined),
  )
}

/** Returns the address that opens the outbox page for one browser: the address that the server printed last. */
export function outboxAddressOf(server: Server): string {
  const address = server
    .output()
    .match(/http:\S+\?outbox=\w+/g)
    ?.at(-1)
  if (address === undefined) throw new Error(`no address of an outbox in:\n${server.output()}`)
  return address
}

/** Opens that address and returns the cookie that it sets, as a request sends it. */
export async function outboxCookieOf(server: Server): Promise<string> {
  const { headers } = await fetch(outboxAddressOf(server), { redirect: 'manual' })
  const [cookie = ''] = headers.getSetCookie()[0]?.split(';') ?? []
  return cookie
}
