import { isolated, personName } from '@beak/decision/person-name'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../_peck/reads'
import { liftPause } from './actions'

type Requester = Pick<Peck['requester'], 'duckling_id' | 'display_name' | 'full_name'>

/** Lets a requester ask again before the pause after a rejection is over. */
export function LiftPauseForm({ requester }: { requester: Requester }) {
  const name = isolated(personName(requester))
  return (
    <AnnouncedForm action={liftPause} label={m.requests_let_name_ask_again({ name })}>
      <input type="hidden" name="duckling_id" value={requester.duckling_id} />
      <SubmitButton kind="plain">{m.requests_let_them_ask_again()}</SubmitButton>
    </AnnouncedForm>
  )
}
