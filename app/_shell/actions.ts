'use server'

import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { answeredCookie, answeredValue } from '@/app/_web/changes'
import { PageProblem } from '@/app/_web/page-read'
import { cookieOptions } from '@/app/_web/session-cookie'
import { endSession } from '@/app/_web/sign-out'
import { findOverview } from '@/app/_web/viewer'
import { field } from '@/components/ui/form-state'
import { day, readClock } from '@/lib/kernel/runtime/clock'
import { type Theme, themeCookie } from './theme'

/** Saves the viewer's choice of light, dark or system colours. */
export async function chooseTheme(theme: Theme): Promise<void> {
  const jar = await cookies()
  if (theme === 'system') jar.delete({ name: themeCookie, ...cookieOptions() })
  else jar.set(themeCookie, theme, { ...cookieOptions(), maxAge: 365 * day })
}

/**
 * Keeps in this browser that the changes of other sessions until a time were answered. Other browsers still ask: else the session of a thief could
 * answer for the owner. With `no`, opens the page about the changes.
 */
export async function answerChanges(form: FormData): Promise<void> {
  const overview = await findOverview()
  const until = new Date(field(form, 'until'))
  if (overview !== null && !Number.isNaN(until.getTime())) {
    const newest = new Date(Math.min(until.getTime(), readClock().getTime())).toISOString()
    const value = answeredValue(overview.profile.duckling_id, newest)
    const jar = await cookies()
    jar.set(answeredCookie(), value, { ...cookieOptions(), maxAge: day })
  }
  if (form.has('no')) redirect('/security/changes')
}

/** Pauses all rules of the viewer with one switch. Throws `PageProblem`. */
export async function pauseAllRules(): Promise<void> {
  const result = await api('POST /beak/rule/pause', { body: { all: true } })
  if (!result.ok) throw new PageProblem(result.problem)
  revalidatePath('/', 'layout')
}

/** Ends the session of the viewer. */
export async function signOut(): Promise<void> {
  await endSession()
  redirect('/signed-out')
}
