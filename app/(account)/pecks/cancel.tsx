import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { cancelPeck } from './actions'
import type { Peck } from './reads'
import { actionWords } from './words'

/** Takes one's own request back while it waits. */
export function Cancel({ peck }: { peck: Peck }) {
  return (
    <AnnouncedForm action={cancelPeck} label={`Take back: ${actionWords(peck.action)}`}>
      <input type="hidden" name="peck_id" value={peck.peck_id} />
      <SubmitButton kind="plain" pending="Taking it back …">
        Take it back
      </SubmitButton>
    </AnnouncedForm>
  )
}
