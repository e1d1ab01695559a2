// @ts-check
/** A shop that takes an order only with the permission of the person who pays. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { PermissionRefusedError } from '@beak/client'

export const action = 'place:order'

/**
 * Returns the server of the shop.
 *
 * @param {import('@beak/client').Beak} beak Needs no credential.
 */
export function makeShop(beak) {
  let orders = 0

  /** @param {import('node:http').IncomingMessage} request */
  async function placeOrder(request) {
    const params = /** @type {Record<string, unknown>} */ (await json(request))
    const token = request.headers['x-peck-grant']
    if (typeof token !== 'string') return { status: 401, body: { required: { action, params } } }
    // Spends the permission, which must be for exactly these params.
    const use = await beak.usePermission(token, params)
    if (use.action !== action)
      return { status: 403, body: { detail: 'This permission is for something else.' } }
    orders += 1
    return { status: 200, body: { number: orders, payer: use.target_duckling_id, ...params } }
  }

  return createServer(async (request, response) => {
    const { status, body } = await placeOrder(request).catch(answerTo)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
}

/**
 * Sells nothing when Beak cannot be asked.
 *
 * @param {unknown} error
 */
function answerTo(error) {
  if (error instanceof SyntaxError) return { status: 400, body: { detail: 'An order is JSON.' } }
  if (error instanceof PermissionRefusedError) return { status: 403, body: { detail: error.message } }
  return { status: 503, body: { detail: 'The shop cannot check permissions now.' } }
}
