'use server'

import { headers } from 'next/headers'
import { parseObject } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { deviceWords } from '@/lib/kernel/request/device'

type NewChannel = BodyOf<'POST /beak/channel/add'>

/** Adds the subscription of this browser to the account, with the name of the browser. */
export const addPhone = formAction({
  call: 'POST /beak/channel/add',
  input: async (form): Promise<NewChannel> => ({
    kind: 'push',
    name: deviceWords((await headers()).get('user-agent')),
    // The API refuses what no browser gives.
    subscription: parseObject(field(form, 'subscription')) as NewChannel['subscription'],
  }),
  page: '/notifications',
  changes: ['/notifications', '/pecks'],
  done: ({ channel_id }) => ({ data: { channelId: channel_id } }),
})
