/** What undoing approvals did to their permissions, and how to say it. */

export interface Undone {
  /** Those that were revoked. `uses`: how often it had been used; null when somebody else revoked it before. */
  revoked: { id: string; uses: number | null }[]
  /** Those that had been used up. */
  consumed: string[]
  /** Those that are still active. */
  failed: string[]
  /** Requests whose rejection was taken back, or that were put off: they wait again. */
  reopened: string[]
}

/** Returns in words what an undo did. */
export function undoneWords({ revoked, consumed, failed }: Undone): string {
  const count = revoked.length
  const used = revoked.filter(({ uses }) => uses !== null && uses > 0).length + consumed.length
  const isKnown = revoked.every(({ uses }) => uses !== null)
  return [
    count === 0 ? '' : count === 1 ? 'Approval revoked.' : `${count} permissions revoked.`,
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

/** What taking back rejections, or bringing back requests that were put off, did. */
export interface Reopened {
  /** They wait for an answer again. */
  reopened: string[]
  /** The requester has got the rejection, or the request has ended. */
  late: string[]
  /** Not undone. Trying again may help. */
  failed: string[]
}

/** Returns in words what became of the requests. */
export function reopenedWords(kind: 'rejected' | 'snoozed', { reopened, late, failed }: Reopened): string {
  const all = reopened.length + late.length + failed.length
  if (reopened.length === all)
    return all === 1 ? 'Undone. The request waits again.' : `Undone. ${all} requests wait again.`
  const isOne = all === 1
  return [
    reopened.length === 0 ? '' : `${reopened.length} of ${all} requests wait again.`,
    late.length === 0 ? '' : lateWords(kind, isOne ? null : late.length),
    failed.length === 0 ? '' : isOne ? 'Not undone.' : `${failed.length} were not undone.`,
    failed.length === 0 ? '' : "Beak can't be reached, or has not answered. Try again.",
  ]
    .filter(Boolean)
    .join(' ')
}

function lateWords(kind: 'rejected' | 'snoozed', count: number | null): string {
  if (kind === 'snoozed') {
    if (count === null) return 'The request has ended meanwhile.'
    return count === 1 ? '1 has ended meanwhile.' : `${count} have ended meanwhile.`
  }
  if (count === null) return 'It was too late. The requester has got the answer.'
  return `For ${count} it was too late.`
}
