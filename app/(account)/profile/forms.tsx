import type { ReactNode } from 'react'
import type { Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { changeAbout, changeName, changeRequestSettings, takeBackNames } from './actions'

type NameChange = NonNullable<ResponseOf<'GET /beak/name-change'>['change']>

/**
 * Also shown while the names cannot change, because the form has to show the message of the last change. The first full name can be added at
 * any time.
 */
export function NameForm({ viewer }: { viewer: Viewer }) {
  const next = viewer.next_name_change_at
  return (
    <ActionForm action={changeName} label={m.profile_change_your_names()}>
      {next === null ? (
        <>
          <FullNameField viewer={viewer} />
          <TextField
            label={m.profile_display_name()}
            name="new_display_name"
            defaultValue={viewer.display_name}
            autoComplete="nickname"
            maxLength={32}
            className="max-w-80"
            hint={m.profile_3_32_letters_z_digits_no()}
          />
          <p className="text-sm text-soft">{changeRule(viewer)}</p>
          <SubmitButton kind="plain">{m.profile_change_name()}</SubmitButton>
        </>
      ) : (
        <CurrentName viewer={viewer} next={next} />
      )}
      {next !== null && viewer.full_name === null ? (
        <>
          <FullNameField viewer={viewer} />
          <SubmitButton kind="plain">{m.profile_add_full_name()}</SubmitButton>
        </>
      ) : null}
    </ActionForm>
  )
}

/** The names, and when they can be changed again. */
function CurrentName({ viewer, next }: { viewer: Viewer; next: string }) {
  const strong = (children: ReactNode) => <strong className="wrap-anywhere">{children}</strong>
  const parts = {
    name: () => strong(<bdi translate="no">{personName(viewer)}</bdi>),
    day: () => strong(<Time at={next} dateOnly />),
  }
  return (
    <p>
      {viewer.full_name === null ? (
        <Sentence of={m.profile_your_name_is} parts={parts} />
      ) : (
        <Sentence
          of={m.profile_your_names_are}
          parts={{ ...parts, display: () => strong(viewer.display_name) }}
        />
      )}
    </p>
  )
}

/** Takes back the latest change of the names, while that is possible. */
export function TakeBackNames({ change }: { change: NameChange }) {
  const strong = (children: ReactNode) => <strong className="wrap-anywhere">{children}</strong>
  const parts = {
    name: () => strong(<bdi translate="no">{personName(change)}</bdi>),
    day: () => <Time at={change.changed_at} dateOnly />,
    until: () => strong(<Time at={change.undo_until} dateOnly />),
  }
  return (
    <AnnouncedForm action={takeBackNames} label={m.profile_take_back_name_change()}>
      <p>
        {change.full_name === null ? (
          <Sentence of={m.profile_until_day_your_name_was} parts={parts} />
        ) : (
          <Sentence
            of={m.profile_until_day_your_names_were}
            parts={{ ...parts, display: () => strong(change.display_name) }}
          />
        )}
      </p>
      <input type="hidden" name="changed_at" value={change.changed_at} />
      <SubmitButton kind="plain">{m.profile_take_back_name_change()}</SubmitButton>
    </AnnouncedForm>
  )
}

function FullNameField({ viewer }: { viewer: Viewer }) {
  return (
    <TextField
      label={m.profile_full_name()}
      name="full_name"
      optional
      defaultValue={viewer.full_name ?? ''}
      autoComplete="name"
      dir="auto"
      className="max-w-80"
      hint={m.profile_in_any_script_up_40_characters()}
    />
  )
}

const changeRule = ({ full_name: name }: Viewer) =>
  name === null ? m.profile_you_can_add_full_name_at() : m.profile_you_can_change_both_names_together()

export function AboutForm({ viewer }: { viewer: Viewer }) {
  return (
    <ActionForm action={changeAbout} label={m.profile_about_you()}>
      <TextArea
        label={m.profile_short_bio()}
        name="bio"
        optional
        defaultValue={viewer.bio ?? ''}
        maxLength={280}
        rows={3}
        hint={m.profile_up_280_characters_anyone_who_may()}
      />
      <CheckField
        label={m.profile_show_me_in_the_directory()}
        name="directory_visible"
        defaultChecked={viewer.directory_visible}
        hint={m.profile_shows_your_name_your_handle_your()}
      />
      <CheckField
        label={m.profile_findable_by_email()}
        name="findable_by_email"
        defaultChecked={viewer.findable_by_email}
        hint={m.profile_findable_by_email_hint()}
      />
      <SubmitButton kind="plain">{m.profile_save()}</SubmitButton>
    </ActionForm>
  )
}

export function RequestForm({ viewer, hasPasskey }: { viewer: Viewer; hasPasskey: boolean }) {
  const { require_passkey_for_pecks: isRequired } = viewer
  return (
    <ActionForm action={changeRequestSettings} label={m.profile_requests()}>
      <SelectField
        label={m.profile_who_may_send_you_requests()}
        name="min_peck_tier"
        defaultValue={viewer.min_peck_tier}
        hint={m.profile_requests_from_anyone_below_this_tier()}
      >
        <option value="T0">{m.profile_anyone_who_has_signed_up_t0()}</option>
        <option value="T1">{m.profile_anyone_with_a_confirmed_email_t1()}</option>
        <option value="T2">{m.profile_anyone_with_a_confirmed_phone_t2()}</option>
        <option value="T3">{m.profile_only_people_confirmed_by_passkey_t3()}</option>
      </SelectField>
      <CheckField
        label={m.profile_require_my_passkey_to_approve_requests()}
        name="require_passkey_for_pecks"
        defaultChecked={isRequired}
        hint={m.profile_your_passkey_then_signs_each_approval()}
      />
      {hasPasskey ? null : (
        <Notice tone="warn" title={m.profile_you_dont_have_a_passkey_yet()}>
          <Sentence
            of={isRequired ? m.profile_until_you_add_one : m.profile_switch_on_after}
            parts={{
              link: (children) => (
                <Link href="/security#add-passkey" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        </Notice>
      )}
      <SubmitButton kind="plain">{m.profile_save()}</SubmitButton>
    </ActionForm>
  )
}
