import type { Metadata } from 'next'
import { PhoneSetup } from '@/app/_shell/phone/phone-setup'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { ActionForm, CheckField, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { dayAfter, dayOf, timeZones } from '@/lib/kernel/text/time-zone'
import { changeQuietHours, changeSeen, endPause, startPause } from './actions'
import { AddChannel } from './add-channel'
import { ChannelList } from './channel-list'
import { MailForm } from './mail-form'
import { readChannels, type Settings } from './read'
import { RoutingForm } from './routing-form'
import { TimeZoneField } from './time-zone-field'

interface QuietFormProps {
  quietHours: Settings['quiet_hours']
  timeZone: Settings['time_zone']
  highBreaksQuiet: boolean
  /** The zone of the browser of the first visit, when none was chosen. */
  firstZone: string | null
  /** All time zones to choose from. */
  zones: string[]
}

/** CSS shows the times while the box is ticked, so it works without JavaScript. */
function QuietForm({ quietHours, timeZone, highBreaksQuiet, firstZone, zones }: QuietFormProps) {
  return (
    <ActionForm action={changeQuietHours} label={m.notifications_quiet_hours()}>
      <TimeZoneField timeZone={timeZone} firstZone={firstZone} zones={zones} />
      <div className="group grid gap-5">
        <CheckField
          label={m.notifications_send_nothing_during_quiet_hours()}
          name="quiet"
          defaultChecked={quietHours !== null}
        />
        <div className="hidden max-w-80 grid-cols-2 gap-4 group-has-[[name=quiet]:checked]:grid">
          <TextField
            label={m.notifications_from()}
            name="quiet_hours.from"
            type="time"
            defaultValue={quietHours?.from ?? '22:00'}
          />
          <TextField
            label={m.notifications_until()}
            name="quiet_hours.to"
            type="time"
            defaultValue={quietHours?.to ?? '07:00'}
          />
        </div>
      </div>
      <CheckField
        label={m.notifications_high_breaks_quiet()}
        name="high_breaks_quiet"
        defaultChecked={highBreaksQuiet}
        hint={m.notifications_high_breaks_quiet_hint()}
      />
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}

interface PauseFormProps {
  /** ISO 8601. Null: there is no pause. */
  until: string | null
  /** The days that can be chosen, such as 2026-11-27. */
  firstDay: string
  lastDay: string
}

/** CSS shows the day while "until a day" is chosen, so it works without JavaScript. */
function PauseForm({ until, firstDay, lastDay }: PauseFormProps) {
  if (until !== null)
    return (
      <ActionForm action={endPause} label={m.notifications_pause()}>
        <p className="font-semibold">
          <Sentence of={m.notifications_paused_until} parts={{ time: () => <Time at={until} /> }} />
        </p>
        <SubmitButton kind="plain">{m.notifications_end_pause()}</SubmitButton>
      </ActionForm>
    )
  return (
    <ActionForm action={startPause} label={m.notifications_pause()} className="group max-w-80">
      <SelectField label={m.notifications_how_long()} name="pause">
        <option value="hour">{m.notifications_one_hour()}</option>
        <option value="morning">{m.notifications_pause_until_morning_option()}</option>
        <option value="day">{m.notifications_pause_until_day_option()}</option>
      </SelectField>
      <div className="hidden group-has-[option[value=day]:checked]:block">
        <TextField
          label={m.notifications_day()}
          name="day"
          type="date"
          min={firstDay}
          max={lastDay}
          defaultValue={firstDay}
          hint={m.notifications_day_hint()}
        />
      </div>
      <SubmitButton kind="plain">{m.notifications_pause()}</SubmitButton>
    </ActionForm>
  )
}

function SeenForm({ shows }: { shows: boolean }) {
  return (
    <ActionForm action={changeSeen} label={m.notifications_seen()}>
      <CheckField
        label={m.notifications_show_seen()}
        name="shows_seen"
        defaultChecked={shows}
        hint={m.notifications_show_seen_hint()}
      />
      <SubmitButton kind="plain">{m.notifications_save()}</SubmitButton>
    </ActionForm>
  )
}

/** The API accepts a pause of 30 days. The last day is one earlier, because a pause ends in its morning. */
const pauseDays = 29

export const generateMetadata = (): Metadata => ({
  title: m.notifications_notifications(),
  robots: { index: false },
})

export default withProblemPage(async function NotificationsPage() {
  const viewer = await requireViewer('/notifications')
  const settings = await read('GET /beak/notifications')
  const channels = await readChannels()
  const now = readClock()
  const zone = (await chosenZone()) ?? 'UTC'
  const hasMail = channels.some(({ kind }) => kind === 'mail')
  return (
    <>
      <PageHead title={m.notifications_notifications()} lead={m.notifications_page_intro()} />
      {viewer.email_verified ? null : (
        <div className="mb-9">
          <Notice tone="warn" title={m.notifications_confirm_email_title()}>
            <Link href="/security" className="underline">
              {m.notifications_confirm_it_on_your_security_page()}
            </Link>
            .
          </Notice>
        </div>
      )}
      <SplitSection id="phone" title={m.phone_this_device()} lead={m.phone_reason()}>
        <PhoneSetup />
      </SplitSection>
      <SplitSection id="channels" title={m.notifications_channels()} lead={m.notifications_channels_lead()}>
        <ChannelList channels={channels} now={now} />
      </SplitSection>
      <SplitSection
        id="add"
        title={m.notifications_add_a_channel()}
        lead={m.notifications_add_a_channel_lead()}
      >
        <AddChannel mail={hasMail || !viewer.email_verified ? null : viewer.email} />
      </SplitSection>
      {channels.every(({ kind }) => kind === 'mail') ? null : (
        <SplitSection
          id="routing"
          title={m.notifications_which_requests()}
          lead={m.notifications_which_requests_lead()}
        >
          <RoutingForm
            channels={channels.map(({ channel_id, name, announces }) => ({ channel_id, name, announces }))}
          />
        </SplitSection>
      )}
      <SplitSection
        id="mail"
        title={m.notifications_kind_mail()}
        lead={
          <Sentence
            of={m.notifications_mail_section_intro}
            parts={{
              email: () => (
                <strong translate="no" className="font-medium text-ink wrap-anywhere">
                  {viewer.email}
                </strong>
              ),
            }}
          />
        }
      >
        <MailForm {...settings.channels.mail} />
      </SplitSection>
      <SplitSection id="pause" title={m.notifications_pause()} lead={m.notifications_pause_lead()}>
        <PauseForm
          until={settings.paused_until}
          firstDay={dayAfter(dayOf(now, zone))}
          lastDay={dayOf(secondsAfter(now, pauseDays * day), zone)}
        />
      </SplitSection>
      <SplitSection
        id="quiet"
        title={m.notifications_quiet_hours()}
        lead={m.notifications_quiet_hours_intro()}
      >
        <QuietForm
          quietHours={settings.quiet_hours}
          timeZone={settings.time_zone}
          highBreaksQuiet={settings.high_breaks_quiet}
          firstZone={settings.time_zone === null ? ((await findOverview())?.time_zone ?? null) : null}
          zones={timeZones()}
        />
      </SplitSection>
      <SplitSection id="seen" title={m.notifications_seen()} lead={m.notifications_seen_lead()}>
        <SeenForm shows={settings.shows_seen} />
      </SplitSection>
      <SplitSection
        id="always"
        title={m.notifications_always_sent()}
        lead={m.notifications_always_sent_intro()}
      >
        <p className="text-sm">{m.notifications_always_sent_list()}</p>
      </SplitSection>
    </>
  )
})
