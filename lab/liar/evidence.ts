/** What a lie leaves behind, for those who may notice it. */
import type { OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import type { Offer, Site } from './people/terms'
import type { World } from './people/world'
import type { Column } from './shops/columns'

export interface Evidence {
  /** What an agent shows to the shop. */
  offer?: Offer
  /** What the same shop has accepted before. */
  before?: Offer[]
  /** Whether the shops accept rules. By default, no shop does. */
  acceptsRules?: true
  /** False: only the use of the permission can be noticed, not its receipt alone. */
  isInReceipt?: boolean
  /** Returns whether somebody who is told another lie than a permission believes it. The lie is told to this person instead of a shop. */
  isBelieved?: () => Promise<boolean>
  /** Returns whether the check of the owner finds nothing. */
  passesOwner?: (column: Column) => Promise<boolean>
  /** The receipt that Nadia kept. Minutes later, she asks for it again and compares both. */
  kept?: OutcomeFile
  /** Returns the receipt that the shop is shown minutes later. Default: that of the offer, with entries that the host made for it. */
  shownLater?: () => Promise<OutcomeFile>
  /** Returns whether two signed statements, of which different people have one each, contradict each other. */
  hasContradiction?: () => Promise<boolean>
  /** Waits until the lie can be told, and then forges what is left to forge. */
  ready?: () => Promise<void>
}

export interface Lie {
  /** What is forged. */
  forged: string
  /** The keys and the access that the host needs for it. */
  access: string
  /** Plays the lie. `site` is where Nadia signs real decisions. */
  play: (world: World, site: Site) => Promise<Evidence>
  /** Whether the lie is the same wherever Nadia signs. Then it is played once. */
  isSameEverywhere?: true
  /** Why each verifier refuses the receipt: the part that is not valid, or the reason of the policy. */
  fault?: string
  /** Why each shop refuses what it is shown minutes later. */
  faultLater?: string
  /** Why nobody notices, for the columns in which nobody does. */
  why?: string
  /** Why nobody notices minutes later either. Default: `why`. */
  whyLater?: string
}
