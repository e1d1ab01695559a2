/** The words of actions as sentences name them. */

/** English verbs that the rules know. Their last consonant is doubled where English doubles it. */
const verbs = new Set(
  'annihilate archive cancel clean clear close decommission delete destroy disable discard drop empty erase execute flush format kill merge nuke overwrite prune purge quit reboot rebuild remove replace reset restart revert revoke shred stop suspend terminate trash truncate uninstall unlink unsubscribe wipe withdraw zap'.split(
    ' ',
  ),
)
const doubled = new Set('cancel drop format quit reset shred stop zap'.split(' '))

/** Returns a verb as the start of a sentence: "delete" is "Deleting". Any other word is quoted: "rm" is "“rm”". */
export function doing(word: string): string {
  if (!verbs.has(word)) return `“${word}”`
  const stem = word.endsWith('e') ? word.slice(0, -1) : doubled.has(word) ? word + word.slice(-1) : word
  return `${stem.charAt(0).toUpperCase()}${stem.slice(1)}ing`
}
