'use client'

import { ChevronRight } from 'lucide'
import { CheckField, TextField, useAnswer } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import type { Settings } from './read'
import { TimeZoneField } from './time-zone-field'

interface FinePointsProps {
  settings: Settings
  /** The zone of the browser of the first visit, when none was chosen. */
  firstZone: string | null
  /** All time zones to choose from. */
  zones: string[]
}

interface Check {
  name: string
  /** How the folded points name it while it is ticked. Undefined: another sentence says it. */
  point?: () => string
  label: () => string
  hint: () => string
  isChecked: (settings: Settings) => boolean
}

/** The fine points that are yes or no. Those of quiet hours stand beside them. */
const checks: Check[] = [
  {
    name: 'gathered',
    label: m.notifications_gathered,
    hint: m.notifications_gathered_hint,
    isChecked: ({ gathered }) => gathered,
  },
  {
    name: 'channels.mail.reminders',
    point: m.notifications_point_reminders,
    label: m.notifications_remind_me_before_a_request_expires,
    hint: m.notifications_once_when_quarter_its_time_is,
    isChecked: ({ channels }) => channels.mail.reminders,
  },
  {
    name: 'channels.mail.details',
    point: m.notifications_point_details,
    label: m.notifications_name_amount_or_target_in_mails,
    hint: m.notifications_mail_value_hint,
    isChecked: ({ channels }) => channels.mail.details,
  },
  {
    name: 'channels.mail.rules',
    point: m.notifications_point_rules,
    label: m.notifications_numbers_of_rules_once_a_week,
    hint: m.notifications_only_after_weeks_with_answers,
    isChecked: ({ channels }) => channels.mail.rules,
  },
  {
    name: 'shows_seen',
    point: m.notifications_point_seen,
    label: m.notifications_show_seen,
    hint: m.notifications_show_seen_hint,
    isChecked: ({ shows_seen: showsSeen }) => showsSeen,
  },
]

/** Returns when messages come and what else is on, as the folded points have it. */
function ownPoints(settings: Settings): string {
  const { gathered, quiet_hours: quiet, high_breaks_quiet: breaks } = settings
  const points = [
    ...checks.flatMap(({ point, isChecked }) => (point && isChecked(settings) ? [point()] : [])),
    ...(breaks ? [m.notifications_point_breaks()] : []),
  ]
  return [
    gathered ? m.notifications_own_gathered() : m.notifications_own_at_once(),
    ...(quiet === null ? [] : [m.notifications_own_quiet(quiet)]),
    ...(points.length === 0 ? [] : [m.notifications_own_on({ points: points.join(', ') })]),
  ].join(' ')
}

/** The fine points of the form, folded. They open when one of them is refused. CSS shows the quiet hours while their box is ticked. */
export function FinePoints({ settings, firstZone, zones }: FinePointsProps) {
  const { status } = useAnswer()
  const quiet = settings.quiet_hours
  return (
    <details
      data-unfolds
      className="group/points border-y border-line"
      open={status === 'failed' || undefined}
    >
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-3 text-sm font-semibold [&::-webkit-details-marker]:hidden">
        <Icon
          of={ChevronRight}
          size={16}
          className="shrink-0 transition-transform duration-150 group-open/points:rotate-90 rtl:-scale-x-100"
        />
        <span>
          {m.notifications_fine_points()}
          <span className="block font-normal text-soft">{ownPoints(settings)}</span>
        </span>
      </summary>
      <div className="grid gap-6 pt-2 pb-7 sm:ps-7">
        {checks.map(({ name, label, hint, isChecked }) => (
          <CheckField
            key={name}
            label={label()}
            name={name}
            defaultChecked={isChecked(settings)}
            hint={hint()}
          />
        ))}
        <div className="group/quiet grid gap-5">
          <CheckField
            label={m.notifications_send_nothing_during_quiet_hours()}
            name="quiet"
            defaultChecked={quiet !== null}
            hint={m.notifications_quiet_hours_intro()}
          />
          <div className="hidden max-w-80 grid-cols-2 gap-4 group-has-[[name=quiet]:checked]/quiet:grid">
            <TextField
              label={m.notifications_from()}
              name="quiet_hours.from"
              type="time"
              defaultValue={quiet?.from ?? '22:00'}
            />
            <TextField
              label={m.notifications_until()}
              name="quiet_hours.to"
              type="time"
              defaultValue={quiet?.to ?? '07:00'}
            />
          </div>
        </div>
        <CheckField
          label={m.notifications_high_breaks_quiet()}
          name="high_breaks_quiet"
          defaultChecked={settings.high_breaks_quiet}
          hint={m.notifications_high_breaks_quiet_hint()}
        />
        <TimeZoneField timeZone={settings.time_zone} firstZone={firstZone} zones={zones} />
      </div>
    </details>
  )
}
