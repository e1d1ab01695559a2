/** A shop that sells to agents, but only with a permission of the person who pays. */
import type { Beak, Jwks } from '@beak/client'
import { requirePermission } from '@beak/client/adapters/hono'
import { outcomePolicy, verifyOutcome } from '@beak/client/verify'
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

/**
 * Returns the shop.
 *
 * @param beak client of the service whose permissions the shop accepts; it needs no credential
 * @param issuer address of that service, as its receipts name it
 * @param keys key set of that service
 */
export function guardedShop(beak: Beak, issuer: string, keys: Jwks) {
  /** The orders by the permission that each was paid with. */
  const orders = new Map<string, Order & { number: number; payer: string }>()
  const app = new Hono()

  app.post(
    '/orders',
    readOrder,
    // Whoever gave the permission pays. The receipt must have the signature of a passkey and a challenge of this shop, which is the default.
    // Only `issuer` and `keys` are given: a shop that names neither reads the keys from the address of its client. A real shop also gives `used`,
    // and has BEAK_SHOP_SECRET, so that approvals outlive a restart.
    requirePermission({
      beak,
      action: 'place:order',
      target: 'anyone',
      params: (context) => context.get('order'),
      trust: { issuer, keys },
    }),
    (context) => {
      const { peck_id, target_duckling_id: payer, params } = context.get('permission')
      const order = { ...Order.parse(params), number: orders.size + 1, payer }
      orders.set(peck_id, order)
      return context.json(order)
    },
  )

  // A person who doubts an order shows the receipt of the approval. The shop verifies the receipt without asking Beak, and demands the
  // signature of a passkey, as it does when it spends a permission.
  app.post('/receipts', async (context) => {
    const receipt = await context.req.json().catch(() => null)
    const trusted = outcomePolicy({ issuer, keys, require: 'signed', action: 'place:order' })
    const known = await verifyOutcome(receipt, trusted)
    if (!known.ok) return context.json({ valid: false, reason: known.fault.message }, 400)
    const order = orders.get(known.facts.statement.peck_id)
    if (order === undefined) return context.json({ valid: true, order: null, approved: false })
    const { item, amount, payer } = order
    const { ok } = await verifyOutcome(receipt, { ...trusted, params: { item, amount }, target: payer })
    return context.json({ valid: true, order, approved: ok })
  })

  return app
}
