'use server'

import { inexactNumbersIn } from '@beak/proofs/exact-numbers'
import { send } from '@/app/_web/api'
import { invalid } from '@/app/_web/form'
import { fieldProblem } from '@/app/_web/problem'
import type { Line } from '@/app/beak/_api/lines'
import { type FormState, field, succeeded, typedValues } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { readReference } from '../api/reference'
import { bodyField, fieldOf, operationField, sureField, type Tried } from './fields'
import { findOffered, isRead } from './offered'

/** Calls an operation that the page offers, with the session of the viewer. Shows every answer of the service, also a refusal. */
export async function tryOperation(previous: FormState<Tried>, form: FormData): Promise<FormState<Tried>> {
  const { groups } = await readReference()
  const listed = findOffered(groups, field(form, operationField))
  if (listed === null) throw new TypeError('the operation is not one of this page')
  const { method, path, operation } = listed
  const refuse = (name: string, message: string) =>
    invalid<Tried>(previous, form, { ...fieldProblem(name, message), detail: '' })
  if (!isRead(listed) && field(form, sureField) !== 'on')
    return refuse(sureField, m.docs_try_confirm_missing())
  const text = field(form, bodyField)
  const body = operation.requestBody === undefined || text === '' ? undefined : parse(text)
  const [inexact] = body ? inexactNumbersIn(text, 1) : []
  if (inexact !== undefined) return refuse(bodyField, m.common_number_inexact({ place: inexact }))
  if (body === null) return refuse(bodyField, m.docs_try_body_error())
  const given = (place: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter): [string, string] => [parameter.name, field(form, fieldOf(parameter))])
  const address = given('path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const { status, body: answer } = await send(
    `${method} ${address}` as Line,
    {
      query: Object.fromEntries(given('query')),
      ...(isRead(listed) ? {} : { body: body ?? {} }),
    } as object,
  )
  const tried = { status, body: JSON.stringify(JSON.parse(String(answer)), null, 2) }
  // The fields keep their values, so that the next call changes only one of them. The tick goes.
  return { ...succeeded(previous, '', tried), values: typedValues(form) }
}

/** Returns the object that a text is as JSON, or null. */
function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
