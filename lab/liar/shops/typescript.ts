/** A shop that uses the TypeScript client. */
import { Beak, PermissionRefusedError } from '@beak/client'
import type { GuardTrust } from '@beak/client/adapters/guard-trust'
import { type PermissionGuard, permissionGuard } from '@beak/client/adapters/require-permission'
import {
  memoryPins,
  memoryUsed,
  type PermissionTrust,
  type PinStore,
  permissionTrust,
} from '@beak/client/trust'
import { type OutcomePolicy, type Pin, verifyOutcome } from '@beak/client/verify'
import type { Host } from '../host/start'
import { shopSecret } from '../people/decide'
import type { Offer, Terms } from '../people/terms'
import { approverOrigin, type World } from '../people/world'
import type { Column } from './columns'

/** The passkeys that a shop has pinned since an earlier contact. */
export function pinsOf({ passkeys, approver }: World, { site, hasPins }: Column): Pin[] {
  if (!hasPins) return []
  const { credentialId: credential_id, publicKey: public_key } = approver
  return site === 'approver' ? [{ credential_id, public_key }] : passkeys
}

/** What a shop demands of each receipt, without what it is about to do. */
function demandsOf({ vkey, witness }: Host, { hasLogKeys, site, acceptsRules }: Column) {
  return {
    ...(acceptsRules ? { rules: 'accept' as const } : {}),
    ...(hasLogKeys ? { vkeys: [vkey], witnesses: [witness] } : {}),
    ...(site === 'approver' ? { approver: approverOrigin } : {}),
  }
}

/** Returns the policy for a receipt that somebody hands to the shop. */
export function policyOf(world: World, column: Column, terms: Terms): OutcomePolicy {
  const { host } = world
  const { action, params, audience, target, challenge } = terms
  return {
    issuer: host.url,
    keys: host.jwks,
    require: column.require,
    pins: pinsOf(world, column),
    action,
    params,
    audience,
    target,
    ...(column.isGuard && challenge !== null ? { challenge } : {}),
    ...(column.isLater ? { logged: true } : {}),
    ...demandsOf(host, column),
  }
}

/** Whether the shop accepts a receipt. Without a requirement, no receipt is accepted. */
export async function acceptsReceipt(
  world: World,
  column: Column | null,
  { terms, answer }: Offer,
): Promise<boolean> {
  const { host } = world
  const policy = column === null ? { issuer: host.url, keys: host.jwks } : policyOf(world, column, terms)
  return (await verifyOutcome(answer.receipt, policy)).ok
}

/** Returns why the shop refuses a receipt: the part that is not valid, or the reason of the policy. Null: it accepts. */
export async function faultOf(
  world: World,
  column: Column,
  { terms, answer }: Offer,
): Promise<string | null> {
  const verdict = await verifyOutcome(answer.receipt, policyOf(world, column, terms))
  if (verdict.ok) return null
  const { fault } = verdict
  return fault.part === 'policy' ? fault.reason : fault.part
}

export interface Shop {
  /** Whether the shop acts on a permission that an agent shows. */
  acts(offer: Offer): Promise<boolean>
}

/** Opens a shop, which remembers what it accepted if its column says so. Null: a shop that believes the service. */
export async function openShop(world: World, column: Column | null): Promise<Shop> {
  const { host } = world
  const beak = new Beak({ url: host.url, retries: 0 })
  const pins = memoryPins()
  if (column !== null) for (const pin of pinsOf(world, column)) await pins.add(world.nadia.id, pin)
  if (column?.isGuard) return guardShop(host, beak, column, pins)
  return userShop(world, beak, column, pins)
}

function userShop({ host }: World, client: Beak, column: Column | null, pins: PinStore): Shop {
  const used = memoryUsed()
  const trustIn = ({ action, target }: Terms): { trust?: PermissionTrust } => {
    if (column === null) return {}
    const policy = { issuer: host.url, keys: host.jwks, require: column.require, action, target }
    const demands = { ...policy, ...demandsOf(host, column) }
    const kept = { ...(column.hasPins ? { pins } : {}), ...(column.acceptsRules ? { used } : {}) }
    return { trust: permissionTrust({ policy: demands, ...kept }) }
  }
  // Called by a name that no linter takes for a hook of React.
  const use = client.usePermission.bind(client)
  return {
    acts: async ({ token, terms }) => {
      const { params, audience, action, target } = terms
      try {
        const used = await use(token, params, { audience, ...trustIn(terms) })
        return used.action === action && used.target_duckling_id === target
      } catch (error) {
        if (error instanceof PermissionRefusedError) return false
        throw error
      }
    },
  }
}

/** By default, the guard has no options at all, except what makes the shops of both languages take the same challenge. */
function guardShop(host: Host, beak: Beak, column: Column, pins: PinStore): Shop {
  const memory = { secret: shopSecret, used: memoryUsed() }
  const trust: GuardTrust =
    column.name === 'default'
      ? memory
      : {
          ...memory,
          require: column.require,
          ...demandsOf(host, column),
          ...(column.hasPins ? { pins } : {}),
        }
  const guards = new Map<string, PermissionGuard<[Terms]>>()
  return {
    acts: async ({ token, terms }) => {
      const guard =
        guards.get(terms.audience) ??
        permissionGuard({
          beak,
          action: ({ action }: Terms) => action,
          params: ({ params }: Terms) => params,
          target: ({ target }: Terms) => target,
          audience: terms.audience,
          trust,
        })
      guards.set(terms.audience, guard)
      const { permission, problem } = await guard({ token, host: undefined }, terms)
      if (problem?.body.code === 'unavailable' || problem?.body.code === 'missing')
        throw new Error(`the guard could not check: ${JSON.stringify(problem.body)}`)
      return permission !== null
    },
  }
}
