/** What the forms say after a success, and before a block. */

const requests = (count: number) => (count === 1 ? '1 waiting request' : `${count} waiting requests`)

/** Says how many permissions were revoked and how many of them had been used. */
export function revokedWords(revoked: { uses: number }[], hasMore: boolean): string {
  if (revoked.length === 0) return 'No permission was active any more.'
  const used = revoked.filter(({ uses }) => uses > 0).length
  const count = revoked.length === 1 ? '1 permission' : `${revoked.length.toLocaleString('en')} permissions`
  const more = hasMore ? ' There are more: revoke again.' : ''
  return `${count} revoked. ${usedWords(used, revoked.length)}${more}`
}

function usedWords(used: number, all: number): string {
  if (used === 0) return all === 1 ? 'It had not been used.' : 'None of them had been used.'
  if (used === all) return all === 1 ? 'It had been used.' : 'All of them had been used.'
  return used === 1 ? '1 of them had been used.' : `${used} of them had been used.`
}

/** What a block does, for the question before the block. */
export const blockWarning =
  "Requests from them and their agents no longer reach you, and their waiting requests are hidden. They aren't told. Active permissions stay valid until you revoke them."

/** Says what a block has hidden. */
export function blockedWords(hidden: number): string {
  return `Blocked. Their requests no longer reach you. ${hiddenWords(hidden)}`.trimEnd()
}

/** "2 waiting requests were hidden.", or an empty text. */
export function hiddenWords(hidden: number): string {
  return hidden === 0 ? '' : `${requests(hidden)} ${hidden === 1 ? 'was' : 'were'} hidden.`
}

/** Says what unblocking has brought back. */
export function unblockedWords(restored: number): string {
  const words = 'Unblocked. Their requests reach you again.'
  return restored === 0 ? words : `${words} ${requests(restored)} ${restored === 1 ? 'is' : 'are'} back.`
}
