'use server'

import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { answeredCookie, answeredValue, answerIn, changesToAsk } from '@/app/_web/changes'
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
 * Keeps in this browser how the changes of other sessions until a time were answered. Other browsers still ask: else the session of a thief
 * could answer for the owner. With `no`, the question becomes a reminder, and the page about the changes opens.
 */
export async function answerChanges(form: FormData): Promise<void> {
  const overview = await findOverview()
  const until = new Date(field(form, 'until'))
  const isNo = form.has('no')
  if (overview !== null && !Number.isNaN(until.getTime())) {
    const id = overview.profile.duckling_id
    const newest = new Date(Math.min(until.getTime(), readClock().getTime())).toISOString()
    const jar = await cookies()
    const before = answerIn(jar.get(answeredCookie())?.value, id)
    const [since = newest] = (await changesToAsk(overview)).changes.map(({ at }) => at).sort()
    const answer = isNo
      ? { until: before.until, reported: newest, since }
      : { until: newest, reported: '', since: '' }
    // Reported changes are kept for 7 days.
    jar.set(answeredCookie(), answeredValue(id, answer), { ...cookieOptions(), maxAge: (isNo ? 8 : 1) * day })
  }
  if (isNo) redirect('/security/changes')
}

/** Pauses everything that may happen without asking the viewer. Throws `PageProblem`. */
export async function pauseEverything(): Promise<void> {
  const result = await api('POST /beak/rule/pause', { body: { all: true } })
  if (!result.ok) throw new PageProblem(result.problem)
  revalidatePath('/', 'layout')
}

/** Shows the viewer the parts for builders and hosts from now on. Does nothing when this fails: it is a preference. */
export async function turnOnBuilder(): Promise<void> {
  const result = await api('POST /beak/profile/update', { body: { builder: true } })
  if (result.ok) revalidatePath('/', 'layout')
}

/** Ends the session of the viewer. */
export async function signOut(): Promise<void> {
  await endSession()
  redirect('/signed-out')
}
