import type { Viewer } from '@/app/_web/viewer'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { changeAbout, changeName, changeRequestSettings } from './actions'

/** Also shown while the name cannot change, because the form has to show the message of the last change. */
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
            hint="3–32 letters and digits, no spaces. You can change it once every 30 days."
          />
          <SubmitButton kind="plain">Change name</SubmitButton>
        </>
      ) : (
        <p>
          Your name is <strong className="wrap-anywhere">{viewer.display_name}</strong>. You can change it
          again from{' '}
          <strong>
            <Time at={next} dateOnly />
          </strong>
          .
        </p>
      )}
    </ActionForm>
  )
}

export function AboutForm({ viewer }: { viewer: Viewer }) {
  return (
    <ActionForm action={changeAbout} label="About you">
      <TextArea
        label="Short bio"
        name="bio"
        optional
        defaultValue={viewer.bio ?? ''}
        maxLength={280}
        rows={3}
        hint="Up to 280 characters. Anyone who may read your profile sees it."
      />
      <CheckField
        label="Show me in the directory"
        name="directory_visible"
        defaultChecked={viewer.directory_visible}
        hint="Shows your name, your tier and the month you joined. Never shows your email address or your full ID."
      />
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}

export function RequestForm({ viewer, hasPasskey }: { viewer: Viewer; hasPasskey: boolean }) {
  const { require_passkey_for_pecks: isRequired } = viewer
  return (
    <ActionForm action={changeRequestSettings} label="Requests">
      <SelectField
        label="Who may send you requests"
        name="min_peck_tier"
        defaultValue={viewer.min_peck_tier}
        hint="Requests from anyone below this tier never reach you."
      >
        <option value="T0">Anyone who has signed up (T0)</option>
        <option value="T1">Anyone with a confirmed email (T1)</option>
        <option value="T2">Anyone with a confirmed phone (T2)</option>
        <option value="T3">Only people confirmed by passkey (T3)</option>
      </SelectField>
      <CheckField
        label="Require my passkey to approve requests"
        name="require_passkey_for_pecks"
        defaultChecked={isRequired}
        hint="Your passkey then signs each approval, and anyone can check the receipt."
      />
      {hasPasskey ? null : (
        <Notice tone="warn" title="You don't have a passkey yet">
          {isRequired
            ? 'Until you add one, you can reject requests but not approve them. '
            : 'You can switch this on after you have added one. '}
          <Link href="/security#add-passkey" className="underline">
            Add a passkey
          </Link>
          .
        </Notice>
      )}
      <SubmitButton kind="plain">Save</SubmitButton>
    </ActionForm>
  )
}
