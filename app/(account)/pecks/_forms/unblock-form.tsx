import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { unblockDuckling } from './actions'

interface UnblockFormProps {
  ducklingId: string
  name: string
  /** The label of the button. */
  label?: string
}

/** Unblocks a person. The requests that the block hid come back. */
export function UnblockForm({ ducklingId, name, label = 'Unblock' }: UnblockFormProps) {
  return (
    <AnnouncedForm action={unblockDuckling} label={m.requests_unblock_name({ name })}>
      <input type="hidden" name="duckling_id" value={ducklingId} />
      <SubmitButton kind="plain">{label}</SubmitButton>
    </AnnouncedForm>
  )
}
