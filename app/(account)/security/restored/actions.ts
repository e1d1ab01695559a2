'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'

const page = '/security/restored'

export const keepAgent = formAction({
  call: 'POST /beak/agent/resume',
  input: (form) => ({ agent_id: field(form, 'agent_id') }),
  page,
  done: ({ agent_name }) => keptText(m.security_agent_name_works_again, { agent_name }),
})

export const keepWebhook = formAction({
  call: 'POST /beak/webhook/update',
  input: (form) => ({ webhook_id: field(form, 'webhook_id'), enabled: true }),
  page,
  done: ({ url }) => keptText(m.security_webhook_host_is_on_again, { host: new URL(url).host }),
})
