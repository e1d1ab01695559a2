import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { rowTitle } from '../_list/row-words'
import { ValuesLine } from '../_list/values-line'
import type { PeckWithDetails } from '../_peck/reads'
import { requesterName, usesWords } from '../_peck/words'
import { revokeAllPermissions } from './actions'

interface RevokeAllFormProps {
  asker: string
  items: [PeckWithDetails, ...PeckWithDetails[]]
  /** `items` are all permissions of the asker. */
  isWhole: boolean
}

/** Revokes all permissions of an asker, after a confirmation that lists them. */
export function RevokeAllForm({ asker, items, isWhole }: RevokeAllFormProps) {
  const name = requesterName(items[0].peck.requester)
  const count = isWhole ? `all ${items.length} permissions` : 'all permissions'
  return (
    <Confirm
      trigger={`Revoke ${count}`}
      title={`Revoke ${count} of ${name}?`}
      text={
        <>
          <p>They stop working immediately. What was already done with them stays done.</p>
          <ul className="mt-3 grid max-h-[40dvh] gap-3 overflow-auto">
            {items.map((request) => (
              <Ending key={request.peck.peck_id} {...request} />
            ))}
            {isWhole ? null : <li>And all others of {name}.</li>}
          </ul>
        </>
      }
    >
      <AnnouncedForm action={revokeAllPermissions} label={`Revoke ${count} of ${name}`}>
        <input type="hidden" name="asker" value={asker} />
        <SubmitButton kind="danger">Revoke {count}</SubmitButton>
      </AnnouncedForm>
    </Confirm>
  )
}

/** A permission that ends. */
function Ending({ peck, details }: PeckWithDetails) {
  return (
    <li className="border-s-2 border-line ps-3">
      <p className="font-semibold text-ink">{rowTitle(details, true)}</p>
      <ValuesLine display={details.display} />
      <p>{usesWords(peck.uses)}</p>
    </li>
  )
}
