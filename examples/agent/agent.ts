/** An agent that orders at a shop. The shop wants a permission of the person who pays, so the agent asks that person. */
import { type Beak, type Permission, type Refusal, requiredPermission } from '@beak/client'

export interface Order {
  item: string
  amount: number
}

/** What the shop answered. `required` names the permission that is missing. */
export interface ShopAnswer {
  status: number
  body: { detail?: string; number?: number; required?: { challenge?: string } }
}

/** Sends an order, with a permission if there is one. */
export async function sendOrder(
  shop: string,
  order: Order,
  permission: Permission | null,
): Promise<ShopAnswer> {
  const response = await fetch(`${shop}/orders`, {
    method: 'POST',
    // A redirect would carry the permission to another host.
    redirect: 'error',
    headers: {
      'Content-Type': 'application/json',
      ...(permission === null ? {} : { 'X-Peck-Grant': permission.grant_token }),
    },
    body: JSON.stringify(order),
  })
  return { status: response.status, body: (await response.json()) as ShopAnswer['body'] }
}

/**
 * Asks a person for the permission that the shop demands in its answer, and waits for the decision. A demand for another host, or of another
 * Beak than that of the client, is refused. What is ordered is the agent's own word: a shop that names another amount in its answer gets no
 * permission for it.
 */
export async function askToOrder(
  beak: Beak,
  person: string,
  order: Order,
  shop: string,
  answer: ShopAnswer,
): Promise<{ permission: Permission } | { permission: null; refusal: Refusal }> {
  return beak.requestPermission({
    target: person,
    ...requiredPermission(`${shop}/orders`, answer.body),
    action: 'place:order',
    params: { ...order },
    message: 'We are out of tea.',
  })
}
