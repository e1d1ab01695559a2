/** All lies, in the order of their numbers in docs/security.md. */
import type { Lie } from '../evidence'
import { alteredLies } from './altered'
import { certificateLies } from './certificates'
import { denialLies } from './denials'
import { entryLies } from './entries'
import { historyLies } from './history'
import { madeUpLies } from './made-up'
import { meaningLies } from './meanings'
import { ownPageLies, signedPageLies } from './pages'
import { hiddenPasskeyLies, passkeyLies } from './passkeys'
import { farRedatedLies, redatedLies, shopStateLies, stateLies } from './redated'
import { ruleLies } from './rules'

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
  ...hiddenPasskeyLies,
  ...farRedatedLies,
  ...shopStateLies,
  ...entryLies,
  ...meaningLies,
  ...denialLies,
  ...ruleLies,
]
