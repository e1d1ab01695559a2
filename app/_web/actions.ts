'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { day } from '@/lib/kernel/clock'
import { api } from './api'
import { cookieOptions, dropSession } from './session-cookie'
import { type Theme, themeCookie } from './theme'

/** Keeps the viewer's choice of light, dark or the system's. */
export async function chooseTheme(theme: Theme): Promise<void> {
  const jar = await cookies()
  if (theme === 'system') jar.delete({ name: themeCookie, ...cookieOptions() })
  else jar.set(themeCookie, theme, { ...cookieOptions(), maxAge: 365 * day })
}

/**
 * Ends the session, here and on every instance. Where it cannot be ended just now the page says so: a browser that only forgot
 * it would leave it open to whoever has a copy.
 */
export async function signOut(): Promise<void> {
  const result = await api('POST /beak/signout', { body: {} })
  if (!result.ok && result.problem.status !== 401)
    redirect(`/signed-out?wait=${result.problem.retry_after ?? 60}`)
  await dropSession()
  redirect('/signed-out')
}
