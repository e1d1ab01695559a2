/** A shop that sells to agents, but only with a permission of the person who pays. */
import type { Beak, Jwks } from '@beak/client'
import { requirePermission } from '@beak/client/adapters/hono'
import { type OutcomeFacts, verifyOutcome } from '@beak/client/verify'
import { type Context, Hono, type Next } from 'hono'
import { z } from 'zod'

const Order = z.strictObject({ item: z.string().max(100), amount: z.int().min(1).max(99) })
export type Order = z.infer<typeof Order>

/** Answers an order that is not valid before its permission is spent. */
async function readOrder(context: Context, next: Next) {
  const { success, data } = Order.safeParse(await context.req.json().catch(() => null))
  if (!success) return context.json({ detail: 'An order has an item and an amount from 1 to 99.' }, 400)
  context.set('order', data)
  return next()
}

/** Whether a receipt shows that the person approved this order. A receipt without its values does not show it. */
function isApproval({ statement, values }: OutcomeFacts, order: Order): boolean {
  const approved = Order.safeParse(Object.fromEntries(values.params.map(({ name, value }) => [name, value])))
  if (statement.decision !== 'approve' || values.hiddenParams > 0 || !approved.success) return false
  return approved.data.item === order.item && approved.data.amount === order.amount
}

/**
 * Returns the shop.
 *
 * @param beak client of the service whose permissions the shop accepts; it needs no credential
 * @param issuer address of that service, as its receipts name it
 * @param keys key set of that service, for receipts
 */
export function guardedShop(beak: Beak, issuer: string, keys: Jwks) {
  /** The orders by the permission that each was paid with. */
  const orders = new Map<string, Order & { number: number; payer: string }>()
  const app = new Hono()

  app.post(
    '/orders',
    readOrder,
    // Whoever gave the permission pays.
    requirePermission({
      beak,
      action: 'place:order',
      target: 'anyone',
      params: (context) => context.get('order'),
    }),
    (context) => {
      const { peck_id, target_duckling_id: payer, params } = context.get('permission')
      const order = { ...Order.parse(params), number: orders.size + 1, payer }
      orders.set(peck_id, order)
      return context.json(order)
    },
  )

  // A person who doubts an order shows the receipt of the approval. The shop verifies the receipt without asking Beak.
  app.post('/receipts', async (context) => {
    const verdict = await verifyOutcome(await context.req.json().catch(() => null), {
      issuer,
      keys,
    })
    if (!verdict.ok) return context.json({ valid: false, reason: verdict.fault.message }, 400)
    const { facts } = verdict
    const order = orders.get(facts.statement.peck_id)
    if (order === undefined) return context.json({ valid: true, order: null, approved: false })
    return context.json({ valid: true, order, approved: facts.version === 2 && isApproval(facts, order) })
  })

  return app
}
