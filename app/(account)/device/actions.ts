'use server'

import { explain } from '@/app/_web/form'
import { formAction, type Outcome } from '@/app/_web/form-action'
import type { Problem } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { type FormState, field, succeeded } from '@/components/ui/form-state'

export type Device = ResponseOf<'POST /beak/device/view'>

export type DeviceStep =
  | { step: 'code' }
  | { step: 'decide'; device: Device }
  | { step: 'approved' | 'denied'; name: string }

type Call = 'POST /beak/device/view' | 'POST /beak/device/approve' | 'POST /beak/device/deny'

const calls: Record<string, Call> = {
  approve: 'POST /beak/device/approve',
  deny: 'POST /beak/device/deny',
}

/** Two steps in one form: the code, then the decision about the device that waits with it. */
export async function connectDevice(
  previous: FormState<DeviceStep>,
  form: FormData,
): Promise<FormState<DeviceStep>> {
  if (form.has('restart')) return succeeded(previous, '', { step: 'code' })
  const state = await takeStep(previous, form)
  // After the confirmation with a passkey, the form sends the decision again.
  return state.needs !== undefined && previous.data !== undefined ? { ...state, data: previous.data } : state
}

const takeStep = formAction({
  call: (form) => calls[field(form, 'decision')] ?? 'POST /beak/device/view',
  input: (form) => ({ user_code: field(form, 'user_code') }),
  page: (form) => `/device?${new URLSearchParams({ user_code: field(form, 'user_code') })}`,
  changes: ['/security'],
  refusal: atUserCode,
  done: (answer): Outcome<DeviceStep> =>
    'status' in answer
      ? { data: { step: answer.status, name: answer.client_name } }
      : { data: { step: 'decide', device: answer } },
})

/** Assigns the refusal of an unknown code to its field. */
function atUserCode(problem: Problem): Problem {
  if (problem.code !== 'E4005') return problem
  return { ...problem, errors: [{ field: 'user_code', message: explain(problem) }] }
}
