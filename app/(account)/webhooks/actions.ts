'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { fieldProblem, type Problem } from '@/app/_web/problem'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { field, ticked } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

/** A new secret. It is shown only once. */
export interface WebhookSecret {
  webhookId: string
  url: string
  secret: string
}

export type Tested = ResponseOf<'POST /beak/webhook/test'>

type Kinds = NonNullable<BodyOf<'POST /beak/webhook/create'>['kinds']>

const pageOf = (form: FormData) => `/webhooks/${field(form, 'webhook_id')}`
const webhookId = (form: FormData) => ({ webhook_id: field(form, 'webhook_id') })

/** Returns the webhook that a form describes, or a problem when no event is ticked. */
function endpointIn(form: FormData): { url: string; kinds: Kinds; description: string } | Problem {
  const kinds = field(form, 'all') === 'yes' ? [] : (ticked(form, 'kinds') as Kinds)
  // The API reads an empty list as all events.
  if (kinds.length === 0 && field(form, 'all') !== 'yes')
    return fieldProblem('kinds', m.webhooks_events_missing_error())
  return { url: field(form, 'url'), kinds, description: field(form, 'description') }
}

export const createWebhook = formAction({
  call: 'POST /beak/webhook/create',
  input: endpointIn,
  page: '/webhooks/new',
  changes: [],
  done: ({ webhook_id, url, secret }) => ({ data: { webhookId: webhook_id, url, secret } }),
})

export const changeWebhook = formAction({
  call: 'POST /beak/webhook/update',
  input: (form) => ({ ...webhookId(form), ...endpointIn(form) }),
  page: pageOf,
  done: () => m.webhooks_saved(),
})

/** Switches the webhook on or off, as the form says, so that a second press does not undo the first. */
export const switchWebhook = formAction({
  call: 'POST /beak/webhook/update',
  input: (form) => ({ ...webhookId(form), enabled: field(form, 'to') === 'on' }),
  page: pageOf,
  done: ({ enabled }) => (enabled ? m.webhooks_the_webhook_is_on() : m.webhooks_the_webhook_is_off()),
})

export const testWebhook = formAction({
  call: 'POST /beak/webhook/test',
  input: webhookId,
  page: pageOf,
  done: (data) => ({ data }),
})

export const redeliver = formAction({
  call: 'POST /beak/webhook/redeliver',
  input: (form) => ({ delivery_id: field(form, 'delivery_id') }),
  page: pageOf,
  done: () => m.webhooks_queued_to_be_sent_again(),
})

export const rotateSecret = formAction({
  call: 'POST /beak/webhook/rotate-secret',
  input: webhookId,
  page: pageOf,
  done: ({ url, secret }, form) => ({ data: { webhookId: field(form, 'webhook_id'), url, secret } }),
})

export const deleteWebhook = formAction({
  call: 'POST /beak/webhook/delete',
  input: webhookId,
  page: pageOf,
  done: () => redirect('/webhooks'),
})
