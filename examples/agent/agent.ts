/** An agent that orders at a shop. The shop wants a permission of the person who pays, so the agent asks that person. */
import type { Beak, Permission, PermissionRequest, Refusal } from '@beak/client'

export interface Order {
  item: string
  amount: number
}

/** What the shop demands of an approval. */
export type Demands = Pick<PermissionRequest, 'audience' | 'require' | 'challenge'>

/** What the shop answered. `required` names the permission that is missing. */
export interface ShopAnswer {
  status: number
  body: { detail?: string; number?: number; required?: Demands }
}

/** Sends an order, with a permission if there is one. */
export async function sendOrder(
  shop: string,
  order: Order,
  permission: Permission | null,
): Promise<ShopAnswer> {
  const response = await fetch(`${shop}/orders`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(permission === null ? {} : { 'X-Peck-Grant': permission.grant_token }),
    },
    body: JSON.stringify(order),
  })
  return { status: response.status, body: (await response.json()) as ShopAnswer['body'] }
}

/**
 * Asks a person for the permission to order, and waits for the answer. The demands are those of the shop. What is ordered is the agent's own
 * word: a shop that names another amount in its answer gets no permission for it.
 */
export async function askToOrder(
  beak: Beak,
  person: string,
  order: Order,
  { audience, require, challenge }: Demands,
): Promise<{ permission: Permission } | { permission: null; refusal: Refusal }> {
  return beak.requestPermission({
    target: person,
    action: 'place:order',
    params: { ...order },
    message: 'We are out of tea.',
    audience,
    require,
    challenge,
  })
}
