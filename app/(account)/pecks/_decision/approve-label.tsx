import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import type { ApproveWords } from '../_peck/request-words'

interface ApproveLabelProps {
  words: ApproveWords
  /** What the person does: "Hold to delete the database", "Yes, delete the database". */
  gesture?: 'hold' | 'yes'
  /** The button asks for the passkey. The icon says so to the eyes. */
  isSigned?: boolean
}

/** What happens when a high risk is approved: "Delete the database “customers-production”". The value stays in a frame of its own. */
export function ApproveLabel({ words, gesture, isSigned = false }: ApproveLabelProps) {
  return (
    <span className="min-w-0 wrap-anywhere">
      {gesture === undefined ? (
        <Action {...words} before={words.before.charAt(0).toUpperCase() + words.before.slice(1)} />
      ) : (
        <Sentence of={gestures[gesture]} parts={{ action: () => <Action {...words} /> }} />
      )}
      {isSigned ? <span className="visually-hidden"> {m.decision_with_passkey()}</span> : null}
    </span>
  )
}

const gestures = { hold: m.decision_hold_to_action, yes: m.decision_yes_action }

function Action({ before, value, after }: ApproveWords) {
  if (value === null) return before
  return (
    <>
      {before === '' ? null : `${before} `}
      <bdi translate="no">{value}</bdi>
      {after === '' ? null : ` ${after}`}
    </>
  )
}
