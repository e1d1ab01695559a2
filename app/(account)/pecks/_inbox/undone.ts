/** What undoing approvals did to their permissions, and how to say it. */

export interface Undone {
  /** Those that were revoked. `uses`: how often it had been used; null when somebody else revoked it before. */
  revoked: { id: string; uses: number | null }[]
  /** Those that had been used up. */
  consumed: string[]
  /** Those that are still active. */
  failed: string[]
}

/** Returns in words what an undo did. */
export function undoneWords({ revoked, consumed, failed }: Undone): string {
  const count = revoked.length
  const used = revoked.filter(({ uses }) => uses !== null && uses > 0).length + consumed.length
  const isKnown = revoked.every(({ uses }) => uses !== null)
  return [
    count === 0 ? '' : count === 1 ? 'Undone.' : `${count} permissions revoked.`,
    used > 0 ? usedWords(used, count) : count > 0 && isKnown ? unusedWords(count) : '',
    failed.length === 0 ? '' : failedWords(failed.length),
  ]
    .filter(Boolean)
    .join(' ')
}

const unusedWords = (count: number) => (count === 1 ? 'The permission was not used.' : 'None was used.')

function usedWords(used: number, revoked: number): string {
  if (revoked <= 1 && used === 1) return "The permission had already been used. It can't be used again."
  return `${used} had already been used and can't be used again.`
}

const failedWords = (count: number) =>
  `${count} could not be revoked. Try again, or revoke ${count === 1 ? 'it' : 'them'} on the Permissions page.`
