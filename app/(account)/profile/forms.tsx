import Link from 'next/link'
import type { Viewer } from '@/app/_web/viewer'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { changeAbout, changeName, changeRequestSettings } from './actions'

/** The form stays while the name may not change, so that it can say what its last change came to. */
export function NameForm({ viewer }: { viewer: Viewer }) {
  const next = viewer.next_name_change_at
  return (
    <ActionForm action={changeName} label="Change the display name">
      {next === null ? (
        <>
          <TextField
            label="Display name"
            name="new_display_name"
            defaultValue={viewer.display_name}
            autoComplete="nickname"
            maxLength={32}
            className="max-w-80"
            hint="3–32 letters and digits, no spaces. You can change it once in 30 days."
          />
          <SubmitButton kind="plain">Change my name</SubmitButton>
        </>
      ) : (
        <p>
          You are <strong className="wrap-anywhere">{viewer.display_name}</strong>. You can take another name
          from{' '}
          <strong>
            <Time at={next} dateOnly />
          </strong>{' '}
          on.
        </p>
      )}
    </ActionForm>
  )
}

export function AboutForm({ viewer }: { viewer: Viewer }) {
  return (
    <ActionForm action={changeAbout} label="About you">
      <TextArea
        label="In your words"
        name="bio"
        optional
        defaultValue={viewer.bio ?? ''}
        maxLength={280}
        rows={3}
        hint="Up to 280 characters. Whoever may read your profile reads it."
      />
      <CheckField
        label="Show me in the directory"
        name="directory_visible"
        defaultChecked={viewer.directory_visible}
        hint="With your name, your tier and the month you joined; never your address or your whole ID."
      />
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}

export function PeckForm({ viewer, hasPasskey }: { viewer: Viewer; hasPasskey: boolean }) {
  const { require_passkey_for_pecks: isRequired } = viewer
  return (
    <ActionForm action={changeRequestSettings} label="Who may peck you">
      <SelectField
        label="Who may peck you"
        name="min_peck_tier"
        defaultValue={viewer.min_peck_tier}
        hint="Requests from ducklings below this tier never reach you."
      >
        <option value="T0">Anybody who has signed up (T0)</option>
        <option value="T1">Those with a confirmed e-mail (T1)</option>
        <option value="T2">Those with a confirmed phone (T2)</option>
        <option value="T3">Those confirmed by passkey (T3)</option>
      </SelectField>
      <CheckField
        label="Approve pecks with my passkey only"
        name="require_passkey_for_pecks"
        defaultChecked={isRequired}
        hint="Your passkey then signs what you approve, and anybody can check the receipt."
      />
      {hasPasskey ? null : (
        <Notice tone="warn" title="You have no passkey yet">
          {isRequired
            ? 'As it is, you can reject pecks but approve none. '
            : 'This can be switched on once you have one. '}
          <Link href="/security#passkeys" className="underline">
            Add a passkey
          </Link>
          .
        </Notice>
      )}
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}
