/** All lies, in the order of their numbers in docs/security.md. */
import type { Lie } from '../evidence'
import { alteredLies } from './altered'
import { certificateLies } from './certificates'
import { historyLies } from './history'
import { madeUpLies } from './made-up'
import { ownPageLies, signedPageLies } from './pages'
import { passkeyLies } from './passkeys'
import { redatedLies, stateLies } from './redated'

export const lies: readonly Lie[] = [
  ...madeUpLies,
  ...passkeyLies,
  ...alteredLies,
  ...redatedLies,
  ...signedPageLies,
  ...stateLies,
  ...certificateLies,
  ...historyLies,
  ...ownPageLies,
]
