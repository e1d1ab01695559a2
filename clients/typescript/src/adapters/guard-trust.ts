/** How far a guard believes Beak, and what it tells agents to ask for. */
import { permissionTrust } from '../trust/check-use'
import type { PermissionTrust, TrustOptions, TrustPolicy } from '../trust/permission-trust'
import { type ChallengeSecret, shopChallenge } from '../trust/shop-challenge'
import { memoryUsed, type UsedStore } from '../trust/used-store'

/** `{ require: 'service' }`: Beak is believed. Otherwise the guard checks the receipt of each permission. */
export type GuardTrust = { require: 'service' } | ReceiptTrust

/** What a guard demands of receipts. */
export interface ReceiptTrust
  extends Pick<
      TrustPolicy,
      | 'keys'
      | 'fetch'
      | 'now'
      | 'vkeys'
      | 'witnesses'
      | 'quorum'
      | 'logPolicy'
      | 'checkpoints'
      | 'approver'
      | 'allowTest'
      | 'signedWithinSeconds'
      | 'decidedWithinSeconds'
    >,
    Pick<TrustOptions, 'pins' | 'readFirst'> {
  /** Who must have confirmed the receipt. `proven` needs `vkeys` and `witnesses`, `pinned` needs `pins`. Default: `signed`. */
  require?: 'signed' | 'proven' | 'pinned' | undefined
  /** Address of the service, as its receipts name it. Default: the `url` of the client. */
  issuer?: string | undefined
  /**
   * Where accepted permissions and challenges are remembered. Default: the memory of this process, for all guards in it. A service with several
   * processes, or with a `secret` of its own, needs a store that all of them share.
   */
  used?: UsedStore | undefined
  /** Secret of the challenges. Default: 32 random bytes, which end with this process. With several processes, give all of them one. */
  secret?: ChallengeSecret | undefined
  /**
   * How old a challenge may be when its permission is used for the first time, in seconds. Default: 48 hours, because by default a person may take a day to
   * answer, and a one-use permission is valid for another day.
   */
  challengeSeconds?: number | undefined
}

/** What a guard needs for each request. */
export interface ReadyTrust {
  /** Undefined: Beak is believed. */
  trust: PermissionTrust | undefined
  /** Returns what an agent must add to its request. The challenge is new each time. */
  demands(): { require?: 'signed'; challenge?: string }
}

const defaultChallengeSeconds = 48 * 3600

/** What the guards of this process share by default, so that no two of them accept one permission. */
let ownUsed: UsedStore | undefined
let ownSecret: Uint8Array | undefined

/** Returns what a guard needs. `url` is the address of the service. Throws `TypeError` for demands that no receipt can be compared with. */
export function readyTrust(url: string, given: GuardTrust = {}, allowTest = false): ReadyTrust {
  if (given.require === 'service') return { trust: undefined, demands: () => ({}) }
  const { pins, readFirst, used, secret, challengeSeconds, ...rest } = given
  if (secret !== undefined && used === undefined)
    throw new TypeError(
      'A secret of your own needs a store (used): after a restart, challenges would be accepted again.',
    )
  const { issuer = url, require = 'signed' } = rest
  const policy: TrustPolicy = { allowTest, ...rest, issuer, require }
  ownUsed ??= memoryUsed()
  ownSecret ??= crypto.getRandomValues(new Uint8Array(32))
  const key = secret ?? ownSecret
  const trust = permissionTrust({
    policy,
    pins,
    readFirst,
    used: used ?? ownUsed,
    challenges: { secret: key, maxAgeSeconds: challengeSeconds ?? defaultChallengeSeconds },
  })
  const ready: ReadyTrust = { trust, demands: () => ({ require: 'signed', challenge: shopChallenge(key) }) }
  // Refuses a secret that is too short now, and not at the first request.
  ready.demands()
  return ready
}
