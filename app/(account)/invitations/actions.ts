'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'

const page = '/invitations'

export const createInvitation = formAction<'POST /beak/invitation/create', { url: string }>({
  call: 'POST /beak/invitation/create',
  input: (form) => {
    const [agent, action, uses, time, note] = ['agent_id', 'action', 'uses', 'expires_in', 'note'].map(
      (name) => field(form, name),
    )
    return {
      ...(agent ? { agent_id: agent } : {}),
      ...(action ? { action } : {}),
      ...(uses ? { uses: Number(uses) } : {}),
      ...(time ? { expires_in: Number(time) } : {}),
      ...(note ? { note } : {}),
    }
  },
  page,
  done: ({ url }) => ({ message: m.invitations_made(), ...(url === null ? {} : { data: { url } }) }),
})

export const revokeInvitation = formAction({
  call: 'POST /beak/invitation/revoke',
  input: (form) => ({ invitation_id: field(form, 'invitation_id') }),
  page,
  done: () => m.invitations_revoked_done(),
})
