import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { ValuesLine } from '../_list/values-line'
import type { ShownPeck } from '../_peck/reads'
import { requesterName, usesWords } from '../_peck/words'
import { revokeAllPermissions } from './actions'

interface RevokeAllFormProps {
  asker: string
  items: [ShownPeck, ...ShownPeck[]]
  /** `items` are all permissions of the asker. */
  isWhole: boolean
  /** The asker is an agent of the viewer. */
  isOwn: boolean
}

/** Revokes all permissions of an asker, after a confirmation that lists them. */
export function RevokeAllForm({ asker, items, isWhole, isOwn }: RevokeAllFormProps) {
  const name = requesterName(items[0].peck.requester)
  const label = m.requests_revoke_everything_name_may_do({ name })
  return (
    <Confirm
      trigger={label}
      title={`${label}?`}
      text={
        <>
          <p>
            {items.length === 1 && isWhole
              ? m.requests_this_permission_stops()
              : m.requests_these_permissions_stop()}
          </p>
          <ul className="mt-3 grid max-h-[40dvh] gap-3 overflow-auto">
            {items.map((request) => (
              <Ending key={request.peck.peck_id} {...request} />
            ))}
            {isWhole ? null : <li>{m.requests_and_all_others_of_name({ name })}</li>}
          </ul>
          <p className="mt-3">
            {isOwn ? m.requests_own_agent_can_still_ask({ name }) : m.requests_asker_can_still_ask({ name })}
          </p>
        </>
      }
    >
      <AnnouncedForm action={revokeAllPermissions} label={label}>
        <input type="hidden" name="asker" value={asker} />
        <SubmitButton kind="danger">{m.requests_revoke_everything()}</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}

/** A permission that ends. */
function Ending({ peck, details, words }: ShownPeck) {
  return (
    <li className="border-s-2 border-line ps-3">
      <p className="font-semibold text-ink">{words.title}</p>
      <ValuesLine display={details.display} />
      <p>{usesWords(peck)}</p>
    </li>
  )
}
