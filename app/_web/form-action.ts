/**
 * Server actions of forms. `formAction({ call, input, done })` calls an endpoint with the fields of a form and returns the state that
 * the form shows: errors beside their fields, a message afterwards. It sends the viewer to sign in when the session has ended,
 * and revalidates the pages whose data has changed.
 */
import { revalidatePath } from 'next/cache'
import type { BodyOf, Line, ResponseOf } from '@/app/beak/_api/lines'
import { type FormState, succeeded } from '@/components/ui/form-state'
import { asOwnFault } from '@/lib/http/page-errors'
import { api } from './api'
import { invalid } from './form'
import { isConflict, type Problem } from './problem'
import { signInAgain } from './sign-in-again'

/** What a form shows after success: a message, or also data. A `done` that redirects returns neither. */
export type Outcome<T> = string | { message?: string; data?: T }

/** A fixed value, or one that depends on the form. */
type FromForm<V> = V | ((form: FormData) => V)

interface FormActionOptions<L extends Line, T> {
  call: FromForm<L>
  /** Returns the body of the call, or a `Problem` that the page itself finds: then nothing is called. */
  input?: (form: FormData) => BodyOf<L> | Problem | Promise<BodyOf<L> | Problem>
  done: string | ((data: ResponseOf<L>, form: FormData) => Outcome<T> | Promise<Outcome<T>>)
  /** The page of the form. Sign-in leads back to it. */
  page: FromForm<string>
  /**
   * Pages to revalidate after a success, and after a conflict, because a conflict shows that they are outdated. `/pecks/*` means the
   * page and all pages below it. Default: `page`.
   */
  changes?: FromForm<string[]>
  /** Rewords a refusal, assigns it to a field, or redirects. */
  refusal?: (problem: Problem, form: FormData) => Problem | Promise<Problem>
  /** Returns data that the form keeps after a refusal, such as its current step. */
  keep?: (problem: Problem, form: FormData) => T | undefined
}

export type FormAction<T> = (previous: FormState<T>, form: FormData) => Promise<FormState<T>>

export function formAction<L extends Line, T = unknown>(options: FormActionOptions<L, T>): FormAction<T> {
  const { input, refusal = (problem) => problem, keep } = options
  async function act(previous: FormState<T>, form: FormData): Promise<FormState<T>> {
    const page = resolve(options.page, form)
    const revalidateChanged = () => {
      for (const path of resolve(options.changes ?? [page], form)) revalidate(path)
    }
    const refuse = (problem: Problem) => {
      const data = keep?.(problem, form)
      return { ...invalid(previous, form, problem), ...(data === undefined ? {} : { data }) }
    }
    const body = await input?.(form)
    if (isProblem(body)) return refuse(body)
    const result = await api(resolve(options.call, form), body === undefined ? {} : { body })
    if (!result.ok) {
      await signInAgain(result.problem, page, form)
      if (isConflict(result.problem)) revalidateChanged()
      return refuse(await refusal(result.problem, form))
    }
    revalidateChanged()
    // Read after each call, so that a sentence of the table has the language of this request.
    const { done } = options
    const outcome = typeof done === 'function' ? await done(result.data, form) : done
    return typeof outcome === 'string'
      ? succeeded(previous, outcome)
      : succeeded(previous, outcome.message ?? '', outcome.data)
  }
  return async (previous, form) => {
    checkArguments(previous, form)
    return act(previous, form).catch((error: unknown) => {
      throw asOwnFault(error)
    })
  }
}

/** A caller can send an action other arguments than a page does. */
function checkArguments(previous: unknown, form: unknown): void {
  const turn = (previous as Partial<FormState<unknown>> | null)?.turn
  if (typeof turn !== 'number' || !(form instanceof FormData))
    throw new TypeError('the arguments of the action are not those of a form')
}

function resolve<V>(value: FromForm<V>, form: FormData): V {
  return typeof value === 'function' ? (value as (form: FormData) => V)(form) : value
}

function revalidate(path: string): void {
  if (path.endsWith('/*')) revalidatePath(path.slice(0, -2) || '/', 'layout')
  else revalidatePath(path)
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'detail' in value && 'code' in value
}
