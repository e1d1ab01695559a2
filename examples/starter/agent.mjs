// @ts-check
/** An agent that asks its person before it orders. */

/**
 * Orders at the shop, with a permission if there is one.
 *
 * @param {string} shop
 * @param {Record<string, string | number>} order
 * @param {string} [grantToken]
 */
export async function sendOrder(shop, order, grantToken) {
  const response = await fetch(shop, {
    method: 'POST',
    headers: grantToken === undefined ? {} : { 'X-Peck-Grant': grantToken },
    body: JSON.stringify(order),
  })
  return { status: response.status, body: await response.json() }
}

/**
 * Asks the person, waits for the decision, and orders. Returns the answer of the shop, or null when the person said no.
 *
 * @param {import('@beak/client').Beak} beak With the key of the agent.
 * @param {{ person: string, shop: string, order: Record<string, string | number> }} job
 */
export async function askAndOrder(beak, { person, shop, order }) {
  const { permission } = await beak.requestPermission({
    target: person,
    action: 'place:order',
    params: order,
  })
  return permission === null ? null : sendOrder(shop, order, permission.grant_token)
}
