// @ts-check
/** Starts the shop and lets the agent order there once: `BEAK_URL=… BEAK_KEY=beak_… PERSON=@you npm start`. */
import { once } from 'node:events'
import { Beak } from '@beak/client'
import { askAndOrder } from './agent.mjs'
import { makeShop } from './shop.mjs'

const { BEAK_URL: url = 'http://localhost:3000', BEAK_KEY: key, PERSON: person } = process.env
if (key === undefined || person === undefined)
  throw new Error('Set BEAK_KEY, and PERSON to an id or @handle.')

const server = makeShop(new Beak({ url })).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())

console.log(`Please answer the request at ${url}/pecks`)
const answer = await askAndOrder(new Beak({ url, key }), {
  person,
  shop: `http://127.0.0.1:${port}`,
  order: { item: 'tea', amount: 2 },
})
console.log(answer === null ? 'You said no.' : JSON.stringify(answer.body))
server.close()
