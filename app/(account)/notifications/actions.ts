'use server'

import { api } from '@/app/_web/api'
import { formAction } from '@/app/_web/form-action'
import type { Problem } from '@/app/_web/problem'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { field, ticked } from '@/components/ui/form-state'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import { dayAfter, dayOf, timeOn } from '@/lib/kernel/text/time-zone'
import { mailSettings } from './mail-choices'
import type { Risk } from './read'

type Change = BodyOf<'POST /beak/notifications/update'>
type NewChannel = BodyOf<'POST /beak/channel/add'>
type ChannelChange = BodyOf<'POST /beak/channel/update'>

export type Tested = ResponseOf<'POST /beak/channel/test'>

const page = '/notifications'

/** The hour at which a pause ends. */
const morning = 8

const channelId = (form: FormData) => ({ channel_id: field(form, 'channel_id') })

/** Saves the whole form: the table of places and risks, and the fine points. */
export const changeRing = formAction({
  call: 'POST /beak/notifications/update',
  input: async (form): Promise<Change | Problem> => (await changeChannels(form)) ?? settingsIn(form),
  page,
  done: () => m.notifications_saved(),
})

const mailChoices = (form: FormData) => ({
  high: field(form, 'mail-high'),
  medium: field(form, 'mail-medium'),
  low: field(form, 'mail-low'),
})

function settingsIn(form: FormData): Change {
  return {
    channels: {
      mail: {
        // The page shows no choice for an address that is not confirmed.
        ...(form.has('mail-high') ? mailSettings(mailChoices(form), form.has('mail-own')) : {}),
        reminders: form.has('channels.mail.reminders'),
        details: form.has('channels.mail.details'),
        rules: form.has('channels.mail.rules'),
      },
    },
    gathered: form.has('gathered'),
    quiet_hours: form.has('quiet')
      ? { from: field(form, 'quiet_hours.from'), to: field(form, 'quiet_hours.to') }
      : null,
    // The times of requests that come together are those of the person, who may have chosen no zone.
    time_zone: field(form, 'time_zone') || (form.has('gathered') ? field(form, 'zone') : '') || null,
    high_breaks_quiet: form.has('high_breaks_quiet'),
    shows_seen: form.has('shows_seen'),
  }
}

export const startPause = formAction({
  call: 'POST /beak/notifications/update',
  input: async (form): Promise<Change> => ({ paused_until: (await pauseEnd(form)).toISOString() }),
  page,
  // The API names the setting, and the form the day.
  refusal: (problem) => ({
    ...problem,
    errors: problem.errors?.map((error) => ({ ...error, field: 'day' })),
  }),
  done: () => m.notifications_pause_started(),
})

export const endPause = formAction({
  call: 'POST /beak/notifications/update',
  input: (): Change => ({ paused_until: null }),
  page,
  done: () => m.notifications_pause_ended(),
})

/** Returns when the chosen pause ends, in the time zone of the browser. */
async function pauseEnd(form: FormData): Promise<Date> {
  const now = readClock()
  const zone = (await chosenZone()) ?? 'UTC'
  switch (field(form, 'pause')) {
    case 'morning':
      return timeOn(dayAfter(dayOf(now, zone)), morning, zone)
    case 'day':
      return timeOn(field(form, 'day'), morning, zone)
    default:
      return secondsAfter(now, hour)
  }
}

export const addChannel = formAction({
  call: 'POST /beak/channel/add',
  input: (form): NewChannel => {
    // The API refuses an unknown choice with an error for its field.
    const kind = field(form, 'kind') as NewChannel['kind']
    const [name, format] = [field(form, 'name'), field(form, 'format') as NewChannel['format']]
    return {
      kind,
      url: field(form, 'url'),
      details: form.has('details'),
      ...(name ? { name } : {}),
      ...(format ? { format } : {}),
    }
  },
  page,
  // What the API says of such an address helps only those who run the service.
  refusal: (problem, form) => ({
    ...problem,
    errors: problem.errors?.map((error) =>
      error.field === 'url' && !/^https:/i.test(field(form, 'url'))
        ? { ...error, message: m.notifications_needs_https() }
        : error,
    ),
  }),
  done: ({ name, secret }) => ({
    message: keptText(m.notifications_channel_added, { name }),
    data: { secret: secret ?? null },
  }),
})

export const testChannel = formAction({
  call: 'POST /beak/channel/test',
  input: channelId,
  page,
  done: (data) => ({ data }),
})

export const renameChannel = formAction({
  call: 'POST /beak/channel/update',
  input: (form): ChannelChange => ({ ...channelId(form), name: field(form, 'name') }),
  page,
  done: ({ name }) => keptText(m.notifications_channel_renamed, { name }),
})

export const changeDetails = formAction({
  call: 'POST /beak/channel/update',
  input: (form): ChannelChange => ({ ...channelId(form), details: form.has('details') }),
  page,
  done: () => m.notifications_saved(),
})

export const removeChannel = formAction({
  call: 'POST /beak/channel/remove',
  input: channelId,
  page,
  done: () => m.notifications_channel_removed(),
})

/** Changes the channels that should announce other requests than before. Returns the problem of a refused change. */
async function changeChannels(form: FormData): Promise<Problem | null> {
  const list = await api('GET /beak/channel/list')
  if (!list.ok) return list.problem
  const shown = form.getAll('channel_id')
  for (const { channel_id, announces: before } of list.data.items) {
    const announces = ticked(form, `announces.${channel_id}`) as Risk[]
    if (!shown.includes(channel_id) || isSame(announces, before)) continue
    const result = await api('POST /beak/channel/update', { body: { channel_id, announces } })
    if (!result.ok) return result.problem
  }
  return null
}

/** Tells whether two lists have the same risks, in any order. */
const isSame = (one: Risk[], other: Risk[]) => [...one].sort().join() === [...other].sort().join()
