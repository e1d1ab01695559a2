'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { codeRefusal } from '@/app/_web/code-refusal'
import { invalid } from '@/app/_web/form'
import type { Problem } from '@/app/_web/problem'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession, requestCode, signInWithCode } from '@/app/_web/sign-in'
import { signInAgain } from '@/app/_web/sign-in-again'
import { findViewer } from '@/app/_web/viewer'
import type { Resent } from '@/components/resend-code'
import { type FormState, field, succeeded } from '@/components/ui/form-state'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { email as emailField } from '@/lib/kernel/typed/email'
import type { Favour } from '../_favour/favour'
import { favourIn, favourRefusal } from '../_favour/favour-in'
import { type AskDraft, dropAskDraft, keepAskDraft, readAskDraft } from './draft'

/** The token of the link. Only letters and digits, so that it is a part of a path whoever sends the form. */
const tokenIn = (form: FormData) => field(form, 'link').replace(/[^0-9A-Za-z]/g, '')

const askPage = (token: string, query: Record<string, string> = {}) => {
  const text = new URLSearchParams(query).toString()
  return `/ask/${token}${text === '' ? '' : `?${text}`}`
}

/** Takes the sentence. Sends it for a person who is signed in. Leads everybody else to the email. */
export async function ask(previous: FormState, form: FormData): Promise<FormState> {
  const token = tokenIn(form)
  const read = favourIn(form)
  if ('status' in read) return invalid(previous, form, read)
  const { email, resendAt } = (await readAskDraft()) ?? {}
  const viewer = await findViewer()
  await keepAskDraft(token, { ...read, email, resendAt, viewer: viewer?.duckling_id })
  if (viewer === null) redirect(askPage(token, { step: 'check' }))
  if (!viewer.email_verified) redirect(askPage(token, { step: 'code' }))
  const problem = await send(token, read)
  await signInAgain(problem, askPage(token), form)
  return invalid(previous, form, favourRefusal(problem))
}

/** Sends the request and leads to its page. Returns why it was not sent. */
async function send(token: string, draft: Favour | AskDraft): Promise<Problem> {
  const { favour, date, amount, currency, place, file } = draft
  const result = await api('POST /beak/peck/request', {
    body: {
      target: `${config().baseUrl}/ask/${token}`,
      action: 'ask:favour',
      scope: 'limited',
      params: { favour, date, amount, currency, place, file },
      expires_in: 604_800,
    },
  })
  if (!result.ok) return result.problem
  await dropAskDraft(token)
  revalidatePath('/pecks', 'layout')
  redirect(`/pecks/${result.data.peck_id}?${result.data.repeated ? 'repeated' : 'sent'}=yes`)
}

/** Makes an account for the address, or signs in to the one that it has. Both need the code that is mailed. */
export async function sendCode(previous: FormState, form: FormData): Promise<FormState> {
  const token = tokenIn(form)
  const draft = (await readAskDraft()) ?? redirect(askPage(token))
  const typed = field(form, 'email')
  const email = emailField.safeParse(typed).data ?? typed
  const { mode } = config().signUp
  const pass = field(form, 'sign_up_pass')
  // Where nobody can sign up without a pass, an empty field says that there is an account.
  if (mode !== 'closed' && (mode !== 'pass' || pass !== '')) {
    const result = await api('POST /beak/signup', {
      body: {
        email,
        full_name: field(form, 'full_name'),
        // Nobody is listed without a question.
        directory_visible: false,
        ...(pass === '' ? {} : { sign_up_pass: pass }),
      },
      token: '',
    })
    if (result.ok) {
      await keepSession(result.data.token)
      await keepAskDraft(token, { ...draft, viewer: result.data.duckling_id })
      redirect(askPage(token, { step: 'code' }))
    }
    if (result.problem.code !== 'E4003') return invalid(previous, form, result.problem)
  }
  const sent = await requestCode(email)
  if (!sent.ok) return invalid(previous, form, sent.problem)
  await keepAskDraft(token, { ...draft, email, resendAt: after(sent.data.resend_after) })
  redirect(askPage(token, { step: 'code' }))
}

/** Confirms the address of a new account and sends the request. A person who had an account reads it once more, with their name. */
export async function enterCode(previous: FormState, form: FormData): Promise<FormState> {
  const token = tokenIn(form)
  const draft = (await readAskDraft()) ?? redirect(askPage(token))
  const otp = field(form, 'otp')
  if ((await findViewer()) === null) {
    if (draft.email === undefined) redirect(askPage(token, { step: 'check' }))
    const result = await signInWithCode(draft.email, otp)
    if (!result.ok) return invalid(previous, form, codeRefusal(result.problem))
    await endReplacedSession()
    await keepSession(result.data.token)
    redirect(askPage(token, { confirmed: 'yes' }))
  }
  const result = await api('POST /beak/verify-email', { body: { otp } })
  // E4008: confirmed already, for instance in another tab.
  if (!result.ok && result.problem.code !== 'E4008')
    return invalid(previous, form, codeRefusal(result.problem))
  await send(token, draft)
  redirect(askPage(token, { confirmed: 'yes' }))
}

/** Sends another code to the same address. */
export async function resendCode(previous: FormState<Resent>, form: FormData): Promise<FormState<Resent>> {
  const token = tokenIn(form)
  const draft = (await readAskDraft()) ?? redirect(askPage(token))
  const viewer = await findViewer()
  if (viewer === null && draft.email === undefined) redirect(askPage(token, { step: 'check' }))
  const result =
    viewer === null ? await requestCode(draft.email ?? '') : await api('POST /beak/verify-email/resend')
  if (!result.ok) {
    const state = invalid(previous, form, result.problem)
    return { ...state, data: { wait: result.problem.retry_after ?? 0 } }
  }
  const wait = result.data.resend_after
  if (viewer === null) await keepAskDraft(token, { ...draft, resendAt: after(wait) })
  return succeeded(previous, m.ask_new_code_sent(), { wait })
}

const after = (seconds: number) => secondsAfter(readClock(), seconds).getTime()
