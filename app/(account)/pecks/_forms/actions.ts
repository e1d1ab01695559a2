'use server'

import { formAction } from '@/app/_web/form-action'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { pagesWithPecks } from '../_peck/pages'
import { blockedWords, revokedWords, unblockedWords } from './outcome-words'

const page = '/pecks'
const peckId = (form: FormData) => ({ peck_id: field(form, 'peck_id') })
const ducklingId = (form: FormData) => ({ duckling_id: field(form, 'duckling_id') })

export const revokePermission = formAction({
  call: 'POST /beak/peck/revoke',
  input: peckId,
  page,
  changes: pagesWithPecks,
  done: () => m.requests_revoke_done(),
})

export const revokeAllPermissions = formAction({
  call: 'POST /beak/peck/revoke-all',
  input: (form) => ({ asker: field(form, 'asker') }),
  page: '/allowed',
  changes: pagesWithPecks,
  done: ({ items, has_more }) => revokedWords(items, has_more),
})

export const withdrawRequest = formAction({
  call: 'POST /beak/peck/cancel',
  input: peckId,
  page,
  changes: pagesWithPecks,
  done: () => m.requests_request_withdrawn(),
})

export const blockDuckling = formAction({
  call: 'POST /beak/peck/block',
  input: ducklingId,
  page,
  changes: pagesWithPecks,
  done: ({ hidden_pecks: hidden = 0 }) => blockedWords(hidden),
})

export const unblockDuckling = formAction({
  call: 'POST /beak/peck/unblock',
  input: ducklingId,
  page,
  changes: pagesWithPecks,
  done: ({ restored_pecks: restored = 0 }) => unblockedWords(restored),
})

export const liftPause = formAction({
  call: 'POST /beak/peck/unpause',
  input: ducklingId,
  page,
  changes: pagesWithPecks,
  done: ({ lifted_rejections: lifted }) =>
    lifted === 0 ? m.requests_they_can_already_ask() : m.requests_done_they_can_ask_you_again(),
})

export const shareReceipt = formAction({
  call: 'POST /beak/peck/share',
  input: (form) => ({ ...peckId(form), values: form.has('values') }),
  page,
  changes: pagesWithPecks,
  done: () => m.requests_share_done(),
})

export const unshareReceipt = formAction({
  call: 'POST /beak/peck/unshare',
  input: peckId,
  page,
  changes: pagesWithPecks,
  done: () => m.requests_unshare_done(),
})
