import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { undoBlock } from './actions'
import type { Outcome } from './outcome'
import { ReportOutcome } from './report-outcome'

interface UndoBlockProps {
  peckId: string
  duckling: { id: string; name: string }
  onUndone: (outcome: Outcome) => void
}

/** A button that undoes the block which came with a rejection. The requests that the block hid come back. */
export function UndoBlock({ peckId, duckling, onUndone }: UndoBlockProps) {
  return (
    <ActionForm
      action={undoBlock}
      label={m.decision_unblock_name({ name: duckling.name })}
      className="gap-2!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="duckling_id" value={duckling.id} />
      <SubmitButton kind="plain">{m.decision_undo_block()}</SubmitButton>
      <ReportOutcome onDecided={onUndone} />
    </ActionForm>
  )
}
