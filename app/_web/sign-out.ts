import { redirect } from 'next/navigation'
import { api } from './api'
import { isUnauthenticated } from './problem'
import { dropSession } from './session-cookie'

/**
 * Ends the session on the server, then drops its cookie. For server actions. When the session cannot be ended now, the cookie stays and a page says
 * so: without the cookie, the session would stay open for anyone who has a copy of the token.
 */
export async function endSession(): Promise<void> {
  const result = await api('POST /beak/signout', { body: {} })
  if (!result.ok && !isUnauthenticated(result.problem))
    redirect(`/signed-out?wait=${result.problem.retry_after ?? 60}`)
  await dropSession()
}
