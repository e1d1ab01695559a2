import { cookies } from 'next/headers'

export type Theme = 'light' | 'dark' | 'system'
export const themeCookie = 'beak.theme'

/** Returns the viewer's choice of colours. Default: `system`. */
export async function chosenTheme(): Promise<Theme> {
  const value = (await cookies()).get(themeCookie)?.value
  return value === 'light' || value === 'dark' ? value : 'system'
}
