/** A shop that uses the Python client. */

import { shopSecret } from '../people/decide'
import type { Offer } from '../people/terms'
import { approverOrigin, type World } from '../people/world'
import type { Column } from './columns'
import type { PythonShop } from './python-process'
import { pinsOf, policyOf, type Shop } from './typescript'

/** Whether the shop accepts a receipt. Without a requirement, no receipt is accepted. */
export function acceptsReceipt(
  python: PythonShop,
  world: World,
  column: Column | null,
  { terms, answer }: Offer,
): Promise<boolean> {
  const { url, jwks } = world.host
  const {
    issuer: _,
    keys: _keys,
    ...policy
  } = column === null ? {} : ({ ...policyOf(world, column, terms) } as Partial<ReturnType<typeof policyOf>>)
  return python.run('receipt', { url, jwks, policy, receipt: answer.receipt })
}

let opened = 0

/** Opens a shop, which remembers what it accepted if its column says so. Null: a shop that believes the service. */
export async function openShop(python: PythonShop, world: World, column: Column | null): Promise<Shop> {
  const { url, jwks, vkey, witness } = world.host
  const shop = `${opened++}`
  const demands = column && {
    require: column.require,
    isGuard: column.isGuard,
    isDefault: column.name === 'default',
    pins: pinsOf(world, column),
    vkeys: column.hasLogKeys ? [vkey] : [],
    witnesses: column.hasLogKeys ? [witness] : [],
    approver: column.site === 'approver' ? approverOrigin : null,
    rules: column.acceptsRules ? 'accept' : null,
  }
  await python.run('open', { shop, url, jwks, secret: shopSecret, target: world.nadia.id, column: demands })
  return { acts: ({ token, terms }) => python.run('acts', { shop, url, token, terms }) }
}
