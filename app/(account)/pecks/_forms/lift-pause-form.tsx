import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import type { Peck } from '../_peck/reads'
import { liftPause } from './actions'

/** Lets a requester ask again before the pause after a rejection is over. */
export function LiftPauseForm({ requester }: { requester: Peck['requester'] }) {
  const { display_name: name, duckling_id: id } = requester
  return (
    <AnnouncedForm action={liftPause} label={`Let ${name} ask again`}>
      <input type="hidden" name="duckling_id" value={id} />
      <SubmitButton kind="plain">Let them ask again</SubmitButton>
    </AnnouncedForm>
  )
}
