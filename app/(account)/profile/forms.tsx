import { personName } from '@beak/decision/person-name'
import type { Viewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { ActionForm, CheckField, SelectField, SubmitButton, TextArea, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { changeAbout, changeName, changeRequestSettings, takeBackNames } from './actions'

type NameChange = NonNullable<ResponseOf<'GET /beak/name-change'>['change']>

/** Also shown while the name cannot change, because the form has to show the message of the last change. */
export function NameForm({ viewer }: { viewer: Viewer }) {
  const { next_name_change_at: next, full_name: fullName } = viewer
  return (
    <ActionForm action={changeName} label={m.profile_change_your_name()}>
      {next === null || fullName === null ? (
        <>
          <TextField
            label={m.profile_your_name()}
            name="full_name"
            defaultValue={personName(viewer)}
            autoComplete="name"
            dir="auto"
            className="max-w-80"
            hint={m.profile_name_hint()}
          />
          <p className="text-sm text-soft">{m.profile_name_rule()}</p>
          <SubmitButton kind="plain">{m.profile_change_name()}</SubmitButton>
        </>
      ) : (
        <p>
          <Sentence
            of={m.profile_name_locked_note}
            parts={{ name: () => strongName(viewer), day: () => day(next) }}
          />
        </p>
      )}
    </ActionForm>
  )
}

const strongName = (names: Parameters<typeof personName>[0]) => (
  <strong className="wrap-anywhere">
    <bdi translate="no">{personName(names)}</bdi>
  </strong>
)
const day = (at: string) => (
  <strong>
    <Time at={at} dateOnly />
  </strong>
)

/**
 * Takes back the latest change of the name, while that is possible. A change of the display name, which only the API makes, is named as well:
 * somebody else may have made it.
 */
export function TakeBackNames({ change, viewer }: { change: NameChange; viewer: Viewer }) {
  const parts = {
    name: () => strongName(change),
    day: () => <Time at={change.changed_at} dateOnly />,
    until: () => day(change.undo_until),
  }
  const isHidden = change.full_name !== null && change.display_name !== viewer.display_name
  return (
    <AnnouncedForm action={takeBackNames} label={m.profile_take_back_name_change()}>
      <p>
        {isHidden ? (
          <Sentence
            of={m.profile_until_day_your_names_were}
            parts={{ ...parts, display: () => strongName({ display_name: change.display_name }) }}
          />
        ) : (
          <Sentence of={m.profile_until_day_your_name_was} parts={parts} />
        )}
      </p>
      <input type="hidden" name="changed_at" value={change.changed_at} />
      <SubmitButton kind="plain">{m.profile_take_back_name_change()}</SubmitButton>
    </AnnouncedForm>
  )
}

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
        hint={m.profile_about_field_hint()}
      />
      <CheckField
        label={m.profile_show_me_in_the_directory()}
        name="directory_visible"
        defaultChecked={viewer.directory_visible}
        hint={m.profile_directory_switch_hint()}
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

/** Who may ask, by the lowest tier. */
export const tierChoices: Record<Viewer['min_peck_tier'], () => string> = {
  T0: m.profile_anyone_who_has_signed_up_t0,
  T1: m.profile_anyone_with_a_confirmed_email_t1,
  T2: m.profile_anyone_with_a_confirmed_phone_t2,
  T3: m.profile_only_people_confirmed_by_passkey_t3,
}

export function RequestForm({ viewer, hasPasskey }: { viewer: Viewer; hasPasskey: boolean }) {
  const { require_passkey_for_pecks: isRequired } = viewer
  return (
    <ActionForm action={changeRequestSettings} label={m.profile_requests()}>
      <SelectField
        label={m.profile_who_may_send_you_requests()}
        name="min_peck_tier"
        defaultValue={viewer.min_peck_tier}
        hint={m.profile_min_tier_hint()}
      >
        {Object.entries(tierChoices).map(([tier, label]) => (
          <option key={tier} value={tier}>
            {label()}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={m.profile_require_my_passkey_to_approve_requests()}
        name="require_passkey_for_pecks"
        defaultChecked={isRequired}
        hint={m.profile_require_passkey_hint()}
      />
      {hasPasskey ? null : (
        <Notice tone="warn" title={m.profile_you_dont_have_a_passkey_yet()}>
          <Sentence
            of={isRequired ? m.profile_require_passkey_missing_note : m.profile_require_passkey_later_note}
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
