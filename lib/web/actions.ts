'use server'

import { cookies } from 'next/headers'
import { type Theme, themeCookie } from '@/lib/web/theme'

/** Keeps the viewer's choice of light, dark or the system's. */
export async function chooseTheme(theme: Theme): Promise<void> {
  const jar = await cookies()
  if (theme === 'system') jar.delete(themeCookie)
  else jar.set(themeCookie, theme, { path: '/', sameSite: 'lax', httpOnly: true, maxAge: 365 * 86_400 })
}
