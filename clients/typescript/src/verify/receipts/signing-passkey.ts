import type { Pin } from './endorsement'

/** The passkey that signed, and what it signed. */
export interface SigningPasskey {
  credentialId: string
  verifiedUser: true
  /**
   * - 2 and 3: the passkey signed the statement of this receipt.
   * - 1: the passkey signed an earlier form, which names no audience and nothing that the page displayed. It covers the params, but
   *   only the service says that these params are the ones, unless the receipt discloses all of them.
   */
  statementVersion: 1 | 2 | 3
  /** The passkey, and behind it the older passkeys that vouch for it. Each link is checked. Whoever has pinned one of them knows this one. */
  chain: Pin[]
}
