/**
 * A shop in a process of its own: `GET /?amount=2` needs a permission for this amount. `BEAK_URL` is the service. `STORE_URL` keeps what was used,
 * for all processes of the shop. Prints its address.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Beak } from '@beak/client'
import { requirePermission } from '@beak/client/adapters/express'
import type { UsedStore } from '@beak/client/trust'

const { BEAK_URL = '', STORE_URL } = process.env

const used: UsedStore = {
  claim: async (key, owner, until) => {
    const body = JSON.stringify({ key, owner, until: until?.toISOString() })
    return (await fetch(STORE_URL ?? '', { method: 'POST', body })).text()
  },
}
const guard = requirePermission({
  beak: new Beak({ url: BEAK_URL }),
  action: 'place:order',
  target: 'anyone',
  params: (request) => ({
    amount: Number(new URL(request.url ?? '', 'http://shop').searchParams.get('amount')),
  }),
  trust: STORE_URL === undefined ? {} : { used },
})
const server = createServer((request, response) =>
  guard(request, response, (error) => {
    response.statusCode = error === undefined ? 200 : 500
    response.end(JSON.stringify({ error: error === undefined ? null : String(error) }))
  }),
)
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
