import { KeyRound } from 'lucide-react'
import { EndorsePasskey } from '@/app/_passkeys/endorse-passkey'
import { vouchingWords } from '@/app/_passkeys/vouching-words'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { SubmitButton } from '@/components/ui/form'
import { Time } from '@/components/ui/time'
import { removePasskey } from './actions'

type Passkey = ResponseOf<'GET /beak/passkey/list'>['items'][number]

export function Passkeys({ passkeys, now }: { passkeys: Passkey[]; now: Date }) {
  if (passkeys.length === 0)
    return <p className="text-soft">No passkeys yet. You sign in with a code from your email.</p>
  const unendorsed = passkeys.filter(
    (passkey) => !passkey.endorsed && passkeys.some((other) => isOlder(other, passkey)),
  )
  return (
    <>
      <ul className="-mt-4 divide-y divide-line border-b border-line">
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.passkey_id}
            passkey={passkey}
            canBeEndorsed={unendorsed.includes(passkey)}
            now={now}
          />
        ))}
      </ul>
      {unendorsed.length === 0 ? null : (
        <p className={`mt-3 max-w-prose text-sm text-soft ${listOffer}`}>{vouchingWords}</p>
      )}
    </>
  )
}

/** The list offers nothing while the offer after adding a passkey is shown, which says the same. */
const listOffer = '[section:has([data-vouching])_&]:hidden'

/** Whether one passkey may vouch for the other. */
const isOlder = (one: Passkey, other: Passkey) => Date.parse(one.created_at) < Date.parse(other.created_at)

interface PasskeyItemProps {
  passkey: Passkey
  canBeEndorsed: boolean
  now: Date
}

function PasskeyItem({ passkey, canBeEndorsed, now }: PasskeyItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
      <KeyRound aria-hidden="true" size={20} className="shrink-0 text-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="text-base wrap-anywhere">{passkey.name}</h3>
        <p className="text-sm text-soft">
          Added <Time at={passkey.created_at} dateOnly />,{' '}
          {passkey.last_used_at === null ? (
            'not used yet'
          ) : (
            <>
              last used <Time at={passkey.last_used_at} now={now} />
            </>
          )}
          {passkey.backed_up ? '. Synced across your devices.' : '. On one device only.'}
          {passkey.endorsed ? ' An older passkey vouches for it.' : ''}
        </p>
        {canBeEndorsed ? (
          <div className={listOffer}>
            <EndorsePasskey passkeyId={passkey.passkey_id} name={passkey.name} kind="quiet" />
          </div>
        ) : null}
      </div>
      <Confirm
        trigger="Remove"
        triggerKind="plain"
        title={`Remove ${passkey.name}?`}
        text="You can no longer sign in with it. Sessions that it started stay signed in until you sign them out."
      >
        <AnnouncedForm action={removePasskey} label={`Remove ${passkey.name}`}>
          <input type="hidden" name="passkey_id" value={passkey.passkey_id} />
          <SubmitButton kind="danger">Remove passkey</SubmitButton>
        </AnnouncedForm>
      </Confirm>
    </li>
  )
}
