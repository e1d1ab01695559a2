/** A shop of several processes, and one that restarts between the approval and the order, on a real service. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Beak, type PermissionRequest } from '@beak/client'
import { memoryUsed } from '@beak/client/trust'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useConfig } from '@/lib/kernel/config'
import { startService } from '../service'
import { type People, somePeople } from './people'

const url = startService()
const secret = 'the secret of all processes'

/** The store that the processes of the shop share. */
const store = memoryUsed()
const storeServer = createServer(async (request, response) => {
  const { key, owner, until } = (await json(request)) as { key: string; owner: string; until?: string }
  response.end(await store.claim(key, owner, until === undefined ? undefined : new Date(until)))
})

interface Shop {
  at: string
  child: ChildProcess
  /** What the process has written to its standard error. */
  errors(): string
}
const shops: Shop[] = []
let people: People
/** Two processes of one shop. */
let [first, second]: [Shop?, Shop?] = []

/** Starts a process of the shop. Without a secret, it also has no store. */
async function startShop(BEAK_SHOP_SECRET?: string): Promise<Shop> {
  const { PATH } = process.env
  const { port } = storeServer.address() as AddressInfo
  const memory =
    BEAK_SHOP_SECRET === undefined ? {} : { BEAK_SHOP_SECRET, STORE_URL: `http://127.0.0.1:${port}` }
  const program = 'packages/client/test/adapters/shop-process.ts'
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { PATH, NODE_ENV: 'production', BEAK_URL: url(), ...memory },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += String(part)
  })
  const [line] = await once(child.stdout, 'data')
  const shop = { at: String(line).trim(), child, errors: () => errors }
  shops.push(shop)
  return shop
}

interface Answer {
  status: number
  body: { code?: string; required?: Omit<PermissionRequest, 'target'> }
}

async function order(shop: Shop | undefined, token: string | null, amount = 2): Promise<Answer> {
  const headers: Record<string, string> = token === null ? {} : { 'X-Peck-Grant': token }
  const answer = await fetch(`${shop?.at}/?amount=${amount}`, { headers })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

async function demandsOf(shop: Shop | undefined): Promise<Omit<PermissionRequest, 'target'>> {
  const { required } = (await order(shop, null)).body
  if (required === undefined) throw new Error('the shop requires nothing')
  return required
}

/** Returns the grant token of a permission for exactly what the shop demands. */
async function approve(required: Omit<PermissionRequest, 'target'>): Promise<string> {
  const request = { target: people.target, ...required }
  const [{ permission }] = await Promise.all([people.beak.requestPermission(request), people.sign()])
  return permission?.grant_token ?? ''
}

/** Uses a permission at a shop that believes the service. Fails when the permission was spent. */
const isUnspent = async (token: string) =>
  (await new Beak({ url: url() }).usePermission(token, { amount: 2 })).uses_left === 0

beforeAll(async () => {
  useConfig({ baseUrl: url(), origin: url() })
  await new Promise<void>((resolve) => storeServer.listen(0, '127.0.0.1', resolve))
  ;[first, second] = await Promise.all([startShop(secret), startShop(secret)])
}, 60_000)

beforeEach(async () => {
  people = await somePeople(url())
})

afterAll(() => {
  for (const { child } of shops) child.kill()
  storeServer.close()
  storeServer.closeAllConnections()
})

it('accepts an approval that was given before a restart, once', { timeout: 60_000 }, async () => {
  const before = await startShop(secret)
  const token = await approve(await demandsOf(before))
  before.child.kill()
  await once(before.child, 'exit')
  const after = await startShop(secret)
  expect((await order(after, token)).status).toBe(200)
  expect(await order(after, token)).toMatchObject({ status: 403, body: { code: 'consumed' } })
  expect(after.errors()).toBe('')
})

it('warns once at its start without a secret and a store, and leaves a permission of before the restart unspent', {
  timeout: 60_000,
}, async () => {
  const token = await approve(await demandsOf(await startShop()))
  const after = await startShop()
  expect(await order(after, token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
  expect(await isUnspent(token)).toBe(true)
  expect(after.errors().trim().split('\n')).toEqual([expect.stringContaining('BEAK_SHOP_SECRET')])
})

// security: agent-21
it('accepts one of 50 simultaneous orders with one permission at two processes', async () => {
  const token = await approve(await demandsOf(first))
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => order(index % 2 === 0 ? first : second, token)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'consumed')).toHaveLength(49)
})

// security: agent-21
it('refuses at one process a challenge that was used at another one, and leaves the permission unspent', async () => {
  const required = await demandsOf(first)
  const [used, replayed] = [await approve(required), await approve(required)]
  expect((await order(first, used)).status).toBe(200)
  expect(await order(second, replayed)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
  expect(await isUnspent(replayed)).toBe(true)
})

it('accepts one of two permissions with one challenge at the same moment, and leaves the other one unspent', async () => {
  const required = await demandsOf(first)
  const tokens = [await approve(required), await approve(required)]
  const answers = await Promise.all(tokens.map((token, index) => order(index === 0 ? first : second, token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  expect(await isUnspent(tokens[answers.findIndex(({ status }) => status === 403)] ?? '')).toBe(true)
})

it.each<[string, (challenge: string) => string]>([
  ['a forged challenge', (challenge) => `${challenge.slice(0, -22)}${'A'.repeat(22)}`],
  ['a challenge whose time was changed', (challenge) => challenge.replace(/\.\w+\./, '.zzzzzz.')],
])('refuses %s and leaves its permission unspent', async (_, forge) => {
  const required = await demandsOf(first)
  const token = await approve({ ...required, challenge: forge(required.challenge ?? '') })
  expect(await order(second, token)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
  expect(await isUnspent(token)).toBe(true)
})

it('refuses an approval for another amount, and accepts it afterwards for its own', async () => {
  const token = await approve(await demandsOf(first))
  expect(await order(second, token, 3)).toMatchObject({ status: 403, body: { code: 'mismatch' } })
  expect((await order(second, token)).status).toBe(200)
})
