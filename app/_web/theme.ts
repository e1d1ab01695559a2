import { cookies } from 'next/headers'

export type Theme = 'light' | 'dark' | 'system'
export const themeCookie = 'beak.theme'

/** What the viewer chose; the system's choice where they chose nothing. */
export async function chosenTheme(): Promise<Theme> {
  const value = (await cookies()).get(themeCookie)?.value
  return value === 'light' || value === 'dark' ? value : 'system'
}
