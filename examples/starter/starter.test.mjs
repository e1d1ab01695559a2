// @ts-check
/** The agent and the shop against a running service: `BEAK_URL`, `BEAK_KEY`, and a `PERSON` who approves. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { Beak } from '@beak/client'
import { askAndOrder, sendOrder } from './agent.mjs'
import { action, makeShop } from './shop.mjs'

const { BEAK_URL: url = 'http://localhost:3000', BEAK_KEY: key, PERSON: person = '' } = process.env
const order = { item: 'tea', amount: 2 }
const server = makeShop(new Beak({ url }))
const agent = new Beak({ url, key })
let shop = ''

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shop = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
})
after(() => server.close())

test('the shop says which permission is missing', async () => {
  const { status, body } = await sendOrder(shop, order)
  assert.deepEqual([status, body.required], [401, { action, params: order }])
})

test('the agent orders with the permission of its person', async () => {
  const answer = await askAndOrder(agent, { person, shop, order })
  assert.deepEqual([answer?.status, answer?.body.item, answer?.body.amount], [200, 'tea', 2])
})

test('the shop refuses another amount, and a second use', async () => {
  const { permission } = await agent.requestPermission({ target: person, action, params: order })
  const token = permission?.grant_token
  assert.equal((await sendOrder(shop, { ...order, amount: 3 }, token)).status, 403)
  assert.equal((await sendOrder(shop, order, token)).status, 200)
  assert.equal((await sendOrder(shop, order, token)).status, 403)
})

test('the shop refuses a permission for something else, and a token that is none', async () => {
  const { permission } = await agent.requestPermission({
    target: person,
    action: 'cancel:order',
    params: order,
  })
  assert.equal((await sendOrder(shop, order, permission?.grant_token)).status, 403)
  assert.equal((await sendOrder(shop, order, 'nothing')).status, 403)
})

test('the shop sells nothing when Beak does not answer', async () => {
  const alone = makeShop(new Beak({ url: 'http://127.0.0.1:9', retries: 0 })).listen(0, '127.0.0.1')
  await once(alone, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (alone.address())
  assert.equal((await sendOrder(`http://127.0.0.1:${port}`, order, 'nothing')).status, 503)
  alone.close()
})
