import type { Metadata } from 'next'
import { PhoneSetup } from '@/app/_shell/phone/phone-setup'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/read'
import { findOverview, requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { Notice, PageHead } from '@/components/ui/surface'
import { chosenZone } from '@/components/ui/zone'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { dayAfter, dayOf, timeZones } from '@/lib/kernel/time-zone'
import { AddChannel } from './add-channel'
import { ChannelList } from './channel-list'
import { MailForm } from './mail-form'
import { PauseForm } from './pause-form'
import { QuietForm } from './quiet-form'
import { readChannels } from './read'
import { RoutingForm } from './routing-form'
import { SeenForm } from './seen-form'

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
      <PageHead title={m.notifications_notifications()} lead={m.notifications_how_requests_reach_you()} />
      {viewer.email_verified ? null : (
        <div className="mb-9">
          <Notice tone="warn" title={m.notifications_confirm_your_email_address_get_mail()}>
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
        title={m.notifications_mail()}
        lead={
          <Sentence
            of={m.notifications_goes_at_most_one_mail_in}
            parts={{
              email: () => <strong className="font-medium text-ink wrap-anywhere">{viewer.email}</strong>,
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
        lead={m.notifications_messages_wait_until_quiet_hours_end()}
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
        lead={m.notifications_at_any_time_whatever_you_choose()}
      >
        <p className="text-sm">{m.notifications_codes_you_ask_for_notices_about()}</p>
      </SplitSection>
    </>
  )
})
