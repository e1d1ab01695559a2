/** The shop, on a real service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Beak, type Permission } from '@beak/client'
import { beforeEach, expect, it } from 'vitest'
import { config } from '@/lib/kernel/config'
import { type People, somePeople } from '@/packages/client/test/adapters/people'
import { startService } from '@/packages/client/test/service'
import { guardedShop } from './shop'

const url = startService()
const tea = { item: 'tea', amount: 2 }
let people: People
let shop: ReturnType<typeof guardedShop>

beforeEach(async () => {
  people = await somePeople(url())
  const beak = new Beak({ url: url() })
  shop = guardedShop(beak, config().baseUrl, await beak.getPublicKeys({}))
})

/** Returns the permission that the shop demands, given with a passkey. */
async function aPermission(): Promise<Permission> {
  const { body } = await order(null)
  // The service of the test has another port than its issuer, where a client would not ask.
  const { issuer: _, ...required } = body.required
  const request = { target: people.target, ...required }
  const [{ permission }] = await Promise.all([people.beak.requestPermission(request), people.sign()])
  if (permission === null) throw new Error('there is no permission')
  return permission
}

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await shop.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}
const order = (permission: Permission | null, body: unknown = tea) =>
  post('/orders', body, permission === null ? {} : { 'X-Peck-Grant': permission.grant_token })

it('takes an order with a permission once, for the person who gave it', async () => {
  const permission = await aPermission()
  expect(await order(permission)).toEqual({ status: 200, body: { ...tea, number: 1, payer: people.target } })
  expect(await order(permission)).toMatchObject({ status: 403, body: { code: 'consumed' } })
  expect(await order(null)).toMatchObject({
    status: 401,
    body: {
      required: { action: 'place:order', params: tea, require: 'signed', challenge: expect.any(String) },
    },
  })
})

it('refuses a permission that no passkey signed, and one without its challenge', async () => {
  const request = { target: people.target, action: 'place:order', params: { ...tea } }
  const [unsigned] = await Promise.all([people.beak.requestPermission(request), people.approve()])
  const signed = { ...request, require: 'signed' } as const
  const [unasked] = await Promise.all([people.beak.requestPermission(signed), people.sign()])
  for (const { permission } of [unsigned, unasked])
    expect(await order(permission)).toMatchObject({ status: 403, body: { code: 'untrusted' } })
})

it('refuses an invalid order before its permission is spent', async () => {
  const permission = await aPermission()
  expect((await order(permission, { item: 'tea', amount: 0 })).status).toBe(400)
  expect((await order(permission)).status).toBe(200)
})

it('finds the order of a receipt, and refuses an altered receipt and one without its values', async () => {
  const permission = await aPermission()
  await order(permission)
  const receipt = await people.person.getOutcomeReceipt({ peck_id: permission.peck_id })
  expect(await post('/receipts', receipt)).toMatchObject({
    status: 200,
    body: { valid: true, approved: true, order: { number: 1 } },
  })
  const altered = { ...receipt, statement: { ...receipt.statement, action: 'cancel:order' } }
  expect(await post('/receipts', altered)).toMatchObject({ status: 400, body: { valid: false } })
  const { values: _, ...hidden } = receipt
  expect(await post('/receipts', hidden)).toMatchObject({ status: 200, body: { approved: false } })
  const other = await people.person.getOutcomeReceipt({ peck_id: (await aPermission()).peck_id })
  expect(await post('/receipts', other)).toEqual({
    status: 200,
    body: { valid: true, approved: false, order: null },
  })
})

it('opens at a port of its own', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/guarded-shop/main.ts'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', BEAK_URL: url(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(child.stdout, 'data')
    const address = /http:\/\/localhost:\d+/.exec(String(line))?.[0] ?? ''
    expect((await fetch(`${address}/orders`, { method: 'POST', body: JSON.stringify(tea) })).status).toBe(401)
  } finally {
    child.kill()
  }
})
