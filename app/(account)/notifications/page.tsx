import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { FoldedSection } from '@/components/ui/folded-section'
import { ActionForm, SelectField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { dayAfter, dayOf, timeZones } from '@/lib/kernel/text/time-zone'
import { endPause, startPause } from './actions'
import { AddChannel } from './add-channel'
import { ChannelList } from './channel-list'
import { FinePoints } from './fine-points'
import { placeNames, readChannels } from './read'
import { RingForm } from './ring-form'

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
          <PausedUntil until={until} />
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
  const address = viewer.email_verified ? viewer.email : null
  return (
    <>
      <PageHead title={m.notifications_notifications()} lead={m.notifications_page_intro()} />
      {viewer.email_verified ? null : (
        <div className="mb-9">
          <Notice tone="warn" title={m.notifications_confirm_email_title()}>
            <Link href="/security#confirm-email" className="underline">
              {m.notifications_confirm_it_on_your_security_page()}
            </Link>
            .
          </Notice>
        </div>
      )}
      <SplitSection id="ring" title={m.notifications_when_ring()} lead={m.notifications_channels_lead()}>
        <RingForm
          address={address}
          mail={settings.channels.mail}
          channels={channels
            .filter(({ kind }) => kind !== 'mail')
            .map(({ channel_id, name, announces }) => ({ channel_id, name, announces }))}
          zone={(await chosenZone()) ?? ''}
          publicKey={(await read('GET /beak/channel/push-key')).public_key}
        >
          <FinePoints
            settings={settings}
            firstZone={settings.time_zone === null ? ((await findOverview())?.time_zone ?? null) : null}
            zones={timeZones()}
          />
        </RingForm>
      </SplitSection>
      <FoldedSection
        id="channels"
        title={m.notifications_channels()}
        state={<KeptText text={placeNames(channels)} />}
      >
        <ChannelList channels={channels} now={now} />
      </FoldedSection>
      <FoldedSection
        id="add"
        title={m.notifications_add_a_channel()}
        state={m.notifications_add_state()}
        lead={m.notifications_add_a_channel_lead()}
      >
        <AddChannel />
      </FoldedSection>
      <FoldedSection
        id="pause"
        title={m.notifications_pause()}
        state={
          settings.paused_until === null ? (
            m.notifications_pause_off()
          ) : (
            <PausedUntil until={settings.paused_until} />
          )
        }
        lead={settings.high_breaks_quiet ? m.notifications_pause_lead_high() : m.notifications_pause_lead()}
      >
        <PauseForm
          until={settings.paused_until}
          firstDay={dayAfter(dayOf(now, zone))}
          lastDay={dayOf(secondsAfter(now, pauseDays * day), zone)}
        />
      </FoldedSection>
      <p className="mt-6 max-w-prose text-sm text-soft">
        {m.notifications_always_sent_intro()} {m.notifications_always_sent_list()}
      </p>
    </>
  )
})

const PausedUntil = ({ until }: { until: string }) => (
  <Sentence of={m.notifications_paused_until} parts={{ time: () => <Time at={until} /> }} />
)
