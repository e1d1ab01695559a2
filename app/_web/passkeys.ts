/** The viewer's passkeys: how many there are, and whether all of them will be removed. */
import { changesToAsk } from './changes'
import { PageProblem } from './page-problem'
import { findOverview } from './viewer'

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return ((await findOverview())?.passkeys ?? 0) > 0
}

/** Returns the viewer's approver, or null. Throws `PageProblem`. */
export async function viewerApprover() {
  return (await findOverview())?.approver ?? null
}

/**
 * Returns what the viewer must know on every page: what will happen to the account unless it is cancelled (null for each when it is not
 * pending), what other sessions changed, and the switch of the rules. Nothing when it cannot be read.
 */
export async function findPending() {
  try {
    const overview = await findOverview()
    return {
      recovery: overview?.recovery ?? null,
      emailUndo: overview?.email_undo ?? null,
      changes: overview === null ? [] : await changesToAsk(overview),
      rules: rulesSwitchOf(overview?.rules),
    }
  } catch (error) {
    if (error instanceof PageProblem)
      return { recovery: null, emailUndo: null, changes: [], rules: 'none' as const }
    throw error
  }
}

type RuleState = NonNullable<Awaited<ReturnType<typeof findOverview>>>['rules']

/** Returns how the switch for all rules is. `none`: there are no rules to pause. */
function rulesSwitchOf(rules: RuleState | undefined): 'none' | 'on' | 'paused' {
  if (rules === undefined || rules.living === 0) return 'none'
  return rules.paused_at === null ? 'on' : 'paused'
}
