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

type Change = BodyOf<'POST /beak/notifications/update'>
type NewChannel = BodyOf<'POST /beak/channel/add'>
type ChannelChange = BodyOf<'POST /beak/channel/update'>
type Requests = NonNullable<NonNullable<NonNullable<Change['channels']>['mail']>['requests']>

export type Tested = ResponseOf<'POST /beak/channel/test'>

const page = '/notifications'

/** The hour at which a pause ends. */
const morning = 8

const channelId = (form: FormData) => ({ channel_id: field(form, 'channel_id') })

export const changeMail = formAction({
  call: 'POST /beak/notifications/update',
  input: (form): Change => ({
    // The API refuses an unknown choice with an error for this field.
    channels: {
      mail: {
        requests: field(form, 'channels.mail.requests') as Requests,
        reminders: form.has('channels.mail.reminders'),
        details: form.has('channels.mail.details'),
        rules: form.has('channels.mail.rules'),
      },
    },
  }),
  page,
  done: () => m.notifications_saved(),
})

export const changeQuietHours = formAction({
  call: 'POST /beak/notifications/update',
  input: (form): Change => ({
    quiet_hours: form.has('quiet')
      ? { from: field(form, 'quiet_hours.from'), to: field(form, 'quiet_hours.to') }
      : null,
    time_zone: field(form, 'time_zone') || null,
    high_breaks_quiet: form.has('high_breaks_quiet'),
  }),
  page,
  done: () => m.notifications_saved(),
})

export const changeSeen = formAction({
  call: 'POST /beak/notifications/update',
  input: (form): Change => ({ shows_seen: form.has('shows_seen') }),
  page,
  done: () => m.notifications_saved(),
})

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
    if (kind === 'mail') return { kind }
    return {
      kind,
      url: field(form, 'url'),
      details: form.has('details'),
      ...(name ? { name } : {}),
      ...(format ? { format } : {}),
    }
  },
  page,
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

/** Changes the channels whose boxes differ from what is stored. The last one is the call of the form. */
export const changeRouting = formAction({
  call: 'POST /beak/channel/update',
  input: async (form): Promise<ChannelChange | Problem> => {
    const changes = await changedRouting(form)
    if ('code' in changes) return changes
    for (const change of changes.slice(0, -1)) {
      const result = await api('POST /beak/channel/update', { body: change })
      if (!result.ok) return result.problem
    }
    return changes.at(-1) ?? { channel_id: field(form, 'channel_id') }
  },
  page,
  done: () => m.notifications_saved(),
})

async function changedRouting(form: FormData): Promise<ChannelChange[] | Problem> {
  const list = await api('GET /beak/channel/list')
  if (!list.ok) return list.problem
  const shown = form.getAll('channel_id')
  return list.data.items
    .filter(({ channel_id }) => shown.includes(channel_id))
    .map(({ channel_id, announces }) => ({
      channel_id,
      before: announces,
      announces: ticked(form, `announces.${channel_id}`) as typeof announces,
    }))
    .filter(({ before, announces }) => [...before].sort().join() !== [...announces].sort().join())
    .map(({ channel_id, announces }) => ({ channel_id, announces }))
}
