'use server'

import { redirect } from 'next/navigation'
import { formAction } from '@/app/_web/form-action'
import { isMissing, type Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { jsonField } from '../_peck/json-field'
import { pagesWithPecks } from '../_peck/pages'

type Request = BodyOf<'POST /beak/peck/request'>

/** Sends a request of the viewer and redirects to its page, or to the page of the same request that is already pending. */
export const sendRequest = formAction({
  call: 'POST /beak/peck/request',
  input: (form) => {
    const lifetime = field(form, 'grant_expires_in')
    return {
      target_duckling_id: field(form, 'target_duckling_id'),
      action: field(form, 'action'),
      scope: field(form, 'scope') as Request['scope'],
      message: field(form, 'message') || undefined,
      params: field(form, 'params') === '' ? {} : (jsonField(form, 'params') as Request['params']),
      expires_in: Number(field(form, 'expires_in')),
      ...(lifetime === '' ? {} : { grant_expires_in: Number(lifetime) }),
    }
  },
  page: '/pecks/new',
  changes: pagesWithPecks,
  refusal: besideFields,
  done: ({ peck_id, repeated }) => redirect(`/pecks/${peck_id}${repeated ? '?repeated=yes' : ''}`),
})

/** Assigns a refusal to the field that it is about. */
function besideFields(problem: Problem): Problem {
  const isAboutTarget = isMissing(problem) || problem.code === 'E4002'
  if (isAboutTarget) return { ...problem, errors: [{ field: 'target_duckling_id', message: problem.detail }] }
  const errors = problem.errors?.map((error) =>
    error.field === 'params' || error.field.startsWith('params.')
      ? {
          field: 'params',
          message: 'must be a JSON object of at most 4 KiB, for example {"to": "pond@example.com"}',
        }
      : error,
  )
  return errors ? { ...problem, errors } : problem
}
