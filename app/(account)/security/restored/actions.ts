'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'

const page = '/security/restored'

export const keepAgent = formAction({
  call: 'POST /beak/agent/resume',
  input: (form) => ({ agent_id: field(form, 'agent_id') }),
  page,
  done: ({ agent_name }) => `${agent_name} works again.`,
})

export const keepWebhook = formAction({
  call: 'POST /beak/webhook/update',
  input: (form) => ({ webhook_id: field(form, 'webhook_id'), enabled: true }),
  page,
  done: ({ url }) => `The webhook to ${new URL(url).host} is on again.`,
})
