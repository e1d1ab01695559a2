import type { Viewer } from '@/app/_web/viewer'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { personName } from '@/lib/kernel/text/person-name'
import { changeAbout, changeName, changeRequestSettings } from './actions'

/**
 * Also shown while the names cannot change, because the form has to show the message of the last change. The first full name can be added at
 * any time.
 */
export function NameForm({ viewer }: { viewer: Viewer }) {
  const next = viewer.next_name_change_at
  return (
    <ActionForm action={changeName} label="Change your names">
      {next === null ? (
        <>
          <FullNameField viewer={viewer} />
          <TextField
            label="Display name"
            name="new_display_name"
            defaultValue={viewer.display_name}
            autoComplete="nickname"
            maxLength={32}
            className="max-w-80"
            hint="3–32 letters A–Z and digits, no spaces. For programs that can't show every script."
          />
          <p className="text-sm text-soft">{changeRule(viewer)}</p>
          <SubmitButton kind="plain">Change name</SubmitButton>
        </>
      ) : (
        <p>
          Your name is{' '}
          <strong className="wrap-anywhere">
            <bdi>{personName(viewer)}</bdi>
          </strong>
          {viewer.full_name === null ? null : (
            <>
              , and your display name is <strong className="wrap-anywhere">{viewer.display_name}</strong>
            </>
          )}
          . You can change your names again from{' '}
          <strong>
            <Time at={next} dateOnly />
          </strong>
          .
        </p>
      )}
      {next !== null && viewer.full_name === null ? (
        <>
          <FullNameField viewer={viewer} />
          <SubmitButton kind="plain">Add full name</SubmitButton>
        </>
      ) : null}
    </ActionForm>
  )
}

function FullNameField({ viewer }: { viewer: Viewer }) {
  return (
    <TextField
      label="Full name"
      name="full_name"
      optional
      defaultValue={viewer.full_name ?? ''}
      autoComplete="name"
      dir="auto"
      className="max-w-80"
      hint="In any script, up to 40 characters. People see it on pages and in mails. Without it, they see your display name."
    />
  )
}

const changeRule = ({ full_name: name }: Viewer) =>
  name === null
    ? 'You can add a full name at any time. After that, you can change both names once every 30 days.'
    : 'You can change both names together once every 30 days.'

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
        hint="Shows your name, your handle, your tier and the month you joined. Never shows your email address."
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
