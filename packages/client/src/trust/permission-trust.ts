/** What a shop demands before it believes the service that a permission is active. */
import type { OutcomePolicy } from '@beak/proofs/receipt'
import type { PolicyFault, Requirement } from '@beak/proofs/receipts/policy'
import type { ReceiptFault } from '@beak/proofs/receipts/refusal'
import type { ConsumedGrant } from '../generated/schemas'
import type { PinStore } from './pin-store'
import type { ChallengeSecret } from './shop-challenge'
import type { UsedStore } from './used-store'

/** A policy without what the use of the permission itself says. */
export interface TrustPolicy extends Omit<OutcomePolicy, 'outcome' | 'params' | 'audience' | 'pins'> {
  /** Who must have confirmed the receipt. `pinned` refuses people without a pin: add the first pin yourself. */
  require: Requirement
  /**
   * The origin of the approver on which the passkey must have signed. Needs `pins`. At the first contact, it is the word of the service that the
   * passkey is one of the approver.
   */
  approver?: string | undefined
}

/** How a shop recognizes its own challenges. */
export interface ChallengeRule {
  /** The secret that `shopChallenge` made them with. */
  secret: ChallengeSecret
  /** How old a challenge may be when its permission is used for the first time. A later use of the same permission is not limited. */
  maxAgeSeconds: number
}

/** What the receipt of a permission must have, so that the shop acts. */
export interface TrustOptions {
  /** Who must have confirmed the receipt, and with which keys. */
  policy: TrustPolicy
  /**
   * Where the shop remembers what it accepted. With it, a one-use permission and a challenge are accepted once, whatever the service says. A
   * policy that accepts rules needs a store with `replace`: the shop sums what it accepts, and stops at what the signed rule allows.
   */
  used?: UsedStore | undefined
  /**
   * Where the shop keeps the passkeys of people. The passkey of the first accepted receipt of a person is stored. From then on, only the
   * stored passkeys of this person are accepted, and passkeys that they endorse, which are stored too. The service says which account a person
   * has: to a shop that accepts anyone, it can show a new account, and that is a first contact again.
   */
  pins?: PinStore | undefined
  /** The receipt must name a challenge of the shop. Needs `used`, because each challenge is accepted once. */
  challenges?: ChallengeRule | undefined
  /** Reads the receipt before the permission is spent, so that a permission whose receipt is refused stays unspent. Default: false. */
  readFirst?: boolean | undefined
}

/** What a shop demands, ready for use: see `permissionTrust`. */
export interface PermissionTrust {
  readonly readFirst: boolean
  /** Returns the checks of one use. @internal */
  checksOf(use: Use): UseChecks
}

/** What the shop is about to do. */
export interface Use {
  params: Record<string, unknown>
  audience: string | undefined
  /** Whether the client accepts what a test service made. The policy can say otherwise. */
  allowTest?: boolean | undefined
}

export interface UseChecks {
  /**
   * Fetches the keys that will be needed, so that no permission is spent while the keys cannot be read. Throws `BeakConnectionError` when
   * they cannot.
   */
  fetchKeys(grantToken: string): Promise<void>
  /**
   * Checks the receipt of an answer before the use is spent, and remembers which permission its challenge belongs to. Throws
   * `PermissionRefusedError`.
   */
  check(answer: ConsumedGrant): Promise<void>
  /** Checks the receipt of an answer, and remembers that it was accepted. Throws `PermissionRefusedError` unless the shop may act. */
  accept(answer: ConsumedGrant): Promise<void>
}

/** Why a receipt was not accepted. */
export type TrustFault = PolicyFault | ReceiptFault
