import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { resumeAllRules } from '../actions'

/** Says that one switch has paused all rules. Resuming asks for a passkey. */
export function AllPausedNotice() {
  return (
    <div className="mb-8">
      <Notice tone="warn" title={m.rules_all_paused()}>
        <p>{m.rules_all_paused_text()}</p>
        <div className="mt-3">
          <ActionForm action={resumeAllRules} label={m.rules_resume_all()} keepsDraft={false}>
            <SubmitButton>{m.rules_resume_all()}</SubmitButton>
          </ActionForm>
        </div>
      </Notice>
    </div>
  )
}
