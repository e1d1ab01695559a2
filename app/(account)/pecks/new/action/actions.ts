'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { fieldProblem, isMissing, type Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { pagesWithPecks } from '../../_peck/pages'
import { type Candidates, candidatesOf, isLink, recipientIn } from '../recipient'
import { paramsIn } from './params-in'

type Request = BodyOf<'POST /beak/peck/request'>

/** Sends a request of the viewer and redirects to its page, or to the page of the same request that is already pending. */
export const sendRequest = formAction<'POST /beak/peck/request', Candidates>({
  call: 'POST /beak/peck/request',
  input: async (form) => {
    const params = paramsIn(form)
    if ('problem' in params) return params.problem
    const target = await recipientIn(form)
    if (typeof target !== 'string') return target
    const lifetime = field(form, 'grant_expires_in')
    return {
      ...(isLink(target) ? { target } : { target_duckling_id: target }),
      action: field(form, 'action'),
      scope: field(form, 'scope') as Request['scope'],
      message: field(form, 'message') || undefined,
      params: params.value as Request['params'],
      expires_in: Number(field(form, 'expires_in')),
      ...(lifetime === '' ? {} : { grant_expires_in: Number(lifetime) }),
    }
  },
  page: '/pecks/new/action',
  changes: pagesWithPecks,
  refusal: besideFields,
  keep: candidatesOf,
  done: ({ peck_id, repeated }) => redirect(`/pecks/${peck_id}${repeated ? '?repeated=yes' : ''}`),
})

/** Assigns a refusal to the field that it is about. */
function besideFields(problem: Problem): Problem {
  const isAboutTarget =
    isMissing(problem) || problem.code === 'E4002' || problem.reason.startsWith('invitation_')
  if (isAboutTarget) return { ...problem, ...fieldErrors('target_duckling_id', problem.detail) }
  const errors = problem.errors?.map((error) => {
    if (error.field === 'target') return { ...error, field: 'target_duckling_id' }
    if (error.field === 'target_duckling_id') return { ...error, message: m.requests_to_rule() }
    return /^params(?:\.|$)/.test(error.field)
      ? { field: 'params', message: m.requests_json_rule({ example: '{"to": "pond@example.com"}' }) }
      : error
  })
  return errors ? { ...problem, errors } : problem
}

const fieldErrors = (name: string, message: string) => ({ errors: fieldProblem(name, message).errors ?? [] })
