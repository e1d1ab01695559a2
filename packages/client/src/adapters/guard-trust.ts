/** How far a guard believes Beak, and what it tells agents to ask for. */
import { environmentOf } from '@beak/proofs/environment'
import { refuseTestElsewhere } from '@beak/proofs/test-mark'
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
    Pick<TrustOptions, 'pins'> {
  /** Who must have confirmed the receipt. `proven` needs `vkeys` and `witnesses`, `pinned` needs `pins`. Default: `signed`. */
  require?: 'signed' | 'proven' | 'pinned' | undefined
  /** Address of the service, as its receipts name it. Default: the `url` of the client. */
  issuer?: string | undefined
  /**
   * Where accepted permissions and challenges are remembered, such as `sqlUsed`. All processes of a service share one store. Default: the memory of
   * this process, for all guards in it, with a warning.
   */
  used?: UsedStore | undefined
  /**
   * Secret of the challenges, the same in all processes and after a restart. Needs `used`. Default: `BEAK_SHOP_SECRET` of the environment. Without
   * both, 32 random bytes that end with this process, with a warning: an approval that a person gives after a restart is then refused.
   */
  secret?: ChallengeSecret | undefined
  /**
   * Reads the receipt before the permission is spent, so that a refused permission stays unspent. Each use then takes two calls. Default: true.
   */
  readFirst?: boolean | undefined
  /**
   * How old a challenge may be when its permission is used for the first time, in seconds. Default: 48 hours, because by default a person may take a day to
   * answer, and a one-use permission is valid for another day.
   */
  challengeSeconds?: number | undefined
}

/** What a guard needs for each request. */
export interface ReadyTrust {
  /** Address of the service that gives permissions, as its receipts name it. */
  issuer: string
  /** Undefined: Beak is believed. */
  trust: PermissionTrust | undefined
  /** Returns what an agent must add to its request. The challenge is new each time. */
  demands(): { require?: 'signed'; challenge?: string }
}

const defaultChallengeSeconds = 48 * 3600

/** What the guards of this process share by default, so that no two of them accept one permission. */
let ownUsed: UsedStore | undefined
let ownSecret: Uint8Array | undefined
let hasWarned = false

/** Returns what a guard needs. `url` is the address of the service. Throws `TypeError` for demands that no receipt can be compared with. */
export function readyTrust(url: string, given: GuardTrust = {}, allowTest = false): ReadyTrust {
  if (given.require === 'service') return { issuer: url, trust: undefined, demands: () => ({}) }
  const {
    pins,
    readFirst = true,
    used,
    secret = environmentOf('BEAK_SHOP_SECRET'),
    challengeSeconds,
    ...rest
  } = given
  if (secret !== undefined && used === undefined)
    throw new TypeError(
      'The secret of a shop (secret, BEAK_SHOP_SECRET) needs a store that outlives the process (used), such as sqlUsed: otherwise challenges would be accepted again after a restart.',
    )
  const { issuer = url, require = 'signed' } = rest
  refuseTestElsewhere({ allowTest: rest.allowTest ?? allowTest }, issuer)
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
  const demands = () => ({ require: 'signed', challenge: shopChallenge(key) }) as const
  // Refuses a secret that is too short now, and not at the first request.
  demands()
  if (secret === undefined) warnOnce(used)
  return { issuer, trust, demands }
}

/** Says that approvals end with this process: once, because one process may have many guards. */
function warnOnce(used: UsedStore | undefined): void {
  if (hasWarned) return
  hasWarned = true
  const missing =
    used === undefined ? 'BEAK_SHOP_SECRET (or secret) and a store (used)' : 'BEAK_SHOP_SECRET (or secret)'
  console.warn(
    `beak: A guard of this process has no ${missing}. Approvals that people give after a restart, or for another process, are refused.`,
  )
}
