/** The little of next-auth's protocol that a page needs: a CSRF token, and the credentials sent along with it. */
import { withBasePath } from '@/app/_web/base-path'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'

/** Signs in with a passkey: null when it did, else the code of the failure. */
export async function signInWithPasskey(credential: AssertionCredential): Promise<string | null> {
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
