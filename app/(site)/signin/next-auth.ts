/** The part of next-auth's protocol that the sign-in page needs: a CSRF token, sent with the credentials. */

import type { Assertion } from '@/app/_web/sign-in'
import { withBasePath } from '@/components/base-path'

/** Signs in with a passkey. Returns null after success, else the error code. */
export async function signInWithPasskey(credential: Assertion): Promise<string | null> {
  const asked = await fetch(withBasePath('/api/auth/csrf'))
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const answer = await fetch(withBasePath('/api/auth/callback/passkey'), {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, credential: JSON.stringify(credential), json: 'true' }),
  })
  if (answer.ok) return null
  const { url, code } = (await answer.json()) as { url?: string; code?: string }
  return code ?? (url ? new URL(url).searchParams.get('error') : null) ?? 'E5001'
}
