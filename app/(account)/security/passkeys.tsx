import { KeyRound } from 'lucide'
import { EndorsePasskey } from '@/app/_passkeys/endorse-passkey'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { CheckField } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { removePasskey } from './actions'

type Passkey = ResponseOf<'GET /beak/passkey/list'>['items'][number]

interface PasskeysProps {
  passkeys: Passkey[]
  /** What only sites that verify receipts read is shown to builders. */
  showsVouching: boolean
  /** The passkeys of other devices that are signed in. */
  signedIn: (string | null)[]
  now: Date
}

export function Passkeys({ passkeys, showsVouching, signedIn, now }: PasskeysProps) {
  if (passkeys.length === 0) return <p className="text-soft">{m.security_passkeys_none_yet()}</p>
  const unendorsed = passkeys.filter(
    (passkey) => showsVouching && !passkey.endorsed && passkeys.some((other) => isOlder(other, passkey)),
  )
  return (
    <>
      <ul className="-mt-4 divide-y divide-line border-b border-line">
        {passkeys.map((passkey) => (
          <PasskeyItem
            key={passkey.passkey_id}
            passkey={passkey}
            isLast={passkeys.length === 1}
            canBeEndorsed={unendorsed.includes(passkey)}
            isSignedIn={signedIn.includes(passkey.passkey_id)}
            now={now}
          />
        ))}
      </ul>
      {unendorsed.length === 0 ? null : (
        <p className={`mt-3 max-w-prose text-sm text-soft ${listOffer}`}>{m.passkeys_why_vouch()}</p>
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
  /** The person has no other one. */
  isLast: boolean
  canBeEndorsed: boolean
  /** Another device is signed in with it. */
  isSignedIn: boolean
  now: Date
}

function PasskeyItem({ passkey, isLast, canBeEndorsed, isSignedIn, now }: PasskeyItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
      <Icon of={KeyRound} size={20} className="shrink-0 text-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <h3 translate="no" className="text-base wrap-anywhere">
          {passkey.name}
        </h3>
        <p className="text-sm text-soft">
          <Added passkey={passkey} now={now} />{' '}
          {passkey.backed_up ? m.security_synced_across_your_devices() : m.security_on_one_device_only()}
          {passkey.endorsed ? ` ${m.security_an_older_passkey_vouches_for_it()}` : ''}
        </p>
        {canBeEndorsed ? (
          <div className={listOffer}>
            <EndorsePasskey passkeyId={passkey.passkey_id} name={passkey.name} kind="quiet" />
          </div>
        ) : null}
      </div>
      <Confirm
        trigger={m.security_remove()}
        triggerKind="plain"
        title={<Sentence of={m.security_remove_name} with={{ name: passkey.name }} />}
        text={`${m.security_remove_passkey_warning()} ${m.security_removed_passkey_ends()}${isLast ? ` ${m.security_last_passkey()}` : ''}`}
      >
        <AnnouncedForm
          action={removePasskey}
          label={m.security_remove_passkey_form_label({ name: passkey.name })}
        >
          <input type="hidden" name="passkey_id" value={passkey.passkey_id} />
          {isSignedIn ? (
            <CheckField name="end_sessions" label={m.security_also_sign_out_its_device()} defaultChecked />
          ) : null}
          <ConfirmButtons>{m.security_remove_passkey()}</ConfirmButtons>
        </AnnouncedForm>
      </Confirm>
    </li>
  )
}

function Added({ passkey: { created_at, last_used_at }, now }: Pick<PasskeyItemProps, 'passkey' | 'now'>) {
  const added = () => <Time at={created_at} dateOnly />
  if (last_used_at === null) return <Sentence of={m.security_passkey_added_not_used} parts={{ added }} />
  const used = () => <Time at={last_used_at} now={now} />
  return <Sentence of={m.security_passkey_added_and_used} parts={{ added, used }} />
}
