'use server'

import { field } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import { pagesWithPecks } from '../_peck/pages'

const page = '/pecks'
const peckId = (form: FormData) => ({ peck_id: field(form, 'peck_id') })
const ducklingId = (form: FormData) => ({ duckling_id: field(form, 'duckling_id') })

export const revokePermission = formAction({
  call: 'POST /beak/peck/revoke',
  input: peckId,
  page,
  changes: pagesWithPecks,
  done: 'Permission revoked.',
})

export const withdrawRequest = formAction({
  call: 'POST /beak/peck/cancel',
  input: peckId,
  page,
  changes: pagesWithPecks,
  done: 'Request withdrawn.',
})

export const blockDuckling = formAction({
  call: 'POST /beak/peck/block',
  input: ducklingId,
  page,
  changes: pagesWithPecks,
  done: 'Blocked. Their requests no longer reach you.',
})

export const unblockDuckling = formAction({
  call: 'POST /beak/peck/unblock',
  input: ducklingId,
  page,
  changes: pagesWithPecks,
  done: 'Unblocked. Their requests reach you again.',
})
