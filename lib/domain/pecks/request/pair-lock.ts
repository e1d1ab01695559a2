/** Returns the name of the lock under which an operator and all its agents ask a target. A block of the operator takes it too. */
export function pairLock(requesterDucklingId: string, targetDucklingId: string): string {
  return `peck:${requesterDucklingId}:${targetDucklingId}`
}
