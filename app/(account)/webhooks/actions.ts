'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { z } from 'zod'
import { api, type Problem } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded, ticked } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'
import type { kindList, TestResult } from '@/lib/domain/webhooks/schema'

/** A secret that was just made: this answer is the only place it appears in. */
export interface WebhookSecret {
  webhookId: string
  url: string
  secret: string
}

export type Tested = z.output<typeof TestResult>

const pathOf = (webhookId: string) => `/webhooks/${webhookId}`

/** A refusal; the page is made anew where what it shows may be what is wrong. */
async function refuse<T>(
  previous: FormState<T>,
  form: FormData,
  problem: Problem,
  path: string,
): Promise<FormState<T>> {
  await signInAgain(problem, path)
  if (problem.status === 409) revalidatePath(path)
  return invalid(previous, form, problem)
}

/** Which kinds the form asks for; null when it asks for some and names none. */
function kindsIn(form: FormData): z.input<typeof kindList> | null {
  if (field(form, 'all') === 'yes') return []
  const kinds = ticked(form, 'kinds') as z.input<typeof kindList>
  return kinds.length === 0 ? null : kinds
}

/** An empty list would ask for everything, which is not what an empty form says. */
const noKinds: Problem = {
  status: 400,
  code: 'E4000',
  detail: '',
  action: '',
  request_id: '',
  errors: [{ field: 'kinds', message: 'Tick at least one kind, or choose every kind' }],
}

export async function createWebhook(
  previous: FormState<WebhookSecret>,
  form: FormData,
): Promise<FormState<WebhookSecret>> {
  const kinds = kindsIn(form)
  if (kinds === null) return invalid(previous, form, noKinds)
  const result = await api('POST /beak/webhook/create', {
    body: { url: field(form, 'url'), kinds, description: field(form, 'description') },
  })
  if (!result.ok) return refuse(previous, form, result.problem, '/webhooks/new')
  const { webhook_id, url, secret } = result.data
  return succeeded(previous, '', { webhookId: webhook_id, url, secret })
}

export async function changeWebhook(previous: FormState, form: FormData): Promise<FormState> {
  const webhookId = field(form, 'webhook_id')
  const kinds = kindsIn(form)
  if (kinds === null) return invalid(previous, form, noKinds)
  const result = await api('POST /beak/webhook/update', {
    body: {
      webhook_id: webhookId,
      url: field(form, 'url'),
      kinds,
      description: field(form, 'description'),
    },
  })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(webhookId))
  revalidatePath(pathOf(webhookId))
  return succeeded(previous, 'Saved.')
}

/** Switches the endpoint on or off: as the form says, so that a second press does not undo the first. */
export async function switchWebhook(previous: FormState, form: FormData): Promise<FormState> {
  const webhookId = field(form, 'webhook_id')
  const enabled = field(form, 'to') === 'on'
  const result = await api('POST /beak/webhook/update', { body: { webhook_id: webhookId, enabled } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(webhookId))
  revalidatePath(pathOf(webhookId))
  return succeeded(previous, enabled ? 'It is on again.' : 'It is off.')
}

export async function testWebhook(previous: FormState<Tested>, form: FormData): Promise<FormState<Tested>> {
  const webhookId = field(form, 'webhook_id')
  const result = await api('POST /beak/webhook/test', { body: { webhook_id: webhookId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(webhookId))
  revalidatePath(pathOf(webhookId))
  return succeeded(previous, '', result.data)
}

export async function redeliver(previous: FormState, form: FormData): Promise<FormState> {
  const path = pathOf(field(form, 'webhook_id'))
  const result = await api('POST /beak/webhook/redeliver', {
    body: { delivery_id: field(form, 'delivery_id') },
  })
  if (!result.ok) return refuse(previous, form, result.problem, path)
  revalidatePath(path)
  return succeeded(previous, 'It is on its way again.')
}

export async function rotateSecret(
  previous: FormState<WebhookSecret>,
  form: FormData,
): Promise<FormState<WebhookSecret>> {
  const webhookId = field(form, 'webhook_id')
  const result = await api('POST /beak/webhook/rotate-secret', { body: { webhook_id: webhookId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(webhookId))
  revalidatePath(pathOf(webhookId))
  return succeeded(previous, '', { webhookId, url: result.data.url, secret: result.data.secret })
}

export async function deleteWebhook(previous: FormState, form: FormData): Promise<FormState> {
  const webhookId = field(form, 'webhook_id')
  const result = await api('POST /beak/webhook/delete', { body: { webhook_id: webhookId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(webhookId))
  redirect('/webhooks')
}
