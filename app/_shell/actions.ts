'use server'

import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { isUnauthenticated } from '@/app/_web/problem'
import { cookieOptions, dropSession } from '@/app/_web/session-cookie'
import { day } from '@/lib/kernel/clock'
import { type Theme, themeCookie } from './theme'

/** Saves the viewer's choice of light, dark or system colours. */
export async function chooseTheme(theme: Theme): Promise<void> {
  const jar = await cookies()
  if (theme === 'system') jar.delete({ name: themeCookie, ...cookieOptions() })
  else jar.set(themeCookie, theme, { ...cookieOptions(), maxAge: 365 * day })
}

/** Pauses all rules of the viewer with one switch. Throws `PageProblem`. */
export async function pauseAllRules(): Promise<void> {
  const result = await api('POST /beak/rule/pause', { body: { all: true } })
  if (!result.ok) throw new PageProblem(result.problem)
  revalidatePath('/', 'layout')
}

/**
 * Ends the session on the server, then drops its cookie. When the session cannot be ended now, the cookie stays and a page says so:
 * without the cookie, the session would stay open for anyone who has a copy of the token.
 */
export async function signOut(): Promise<void> {
  const result = await api('POST /beak/signout', { body: {} })
  if (!result.ok && !isUnauthenticated(result.problem))
    redirect(`/signed-out?wait=${result.problem.retry_after ?? 60}`)
  await dropSession()
  redirect('/signed-out')
}
