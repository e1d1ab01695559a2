/** Who a browser is, for sites: the session of Beak says so, and no other one. */
import type { Grant, KoaContextWithOIDC, default as Library, Session } from 'oidc-provider'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import { isOwnSignIn } from '@/lib/domain/sessions/proof'
import type { SessionCaller } from '@/lib/kernel/request/context'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { readClock } from '@/lib/kernel/runtime/clock'
import { authenticationOf, secondsOf } from './authentication'
import { Provider } from './library'
import { isSiteId } from './site-client'
import { continueConsent, readGrant, sidOf } from './site-sign-ins'

/** The callers of requests that come with a session. */
const callers = new WeakMap<object, SessionCaller>()

/** Signs the browser in to the library when it asks for a site with a session of Beak. A session of the device flow signs in nowhere. */
async function recognise(context: KoaContextWithOIDC, session: Session): Promise<void> {
  if (context.oidc.route !== 'authorization' || !isSiteId(context.query.client_id)) return
  const token = context.cookies.get(cookieName(), { signed: false })
  const found = token === undefined ? null : await authenticateSession(token, readClock())
  if (found === null || !isOwnSignIn(found.caller)) return
  const { at, ...how } = authenticationOf(found.caller)
  session.loginAccount({ accountId: found.caller.id, loginTs: secondsOf(at), ...how, transient: true })
  callers.set(context.oidc, found.caller)
}

/** Makes the library ask Beak who a browser is. It declares none of these methods. */
export function recogniseBrowsers(server: Library): void {
  const sessions = server.Session as unknown as { get(context: KoaContextWithOIDC): Promise<Session> }
  const get = sessions.get.bind(sessions)
  sessions.get = async (context) => {
    const session = await get(context)
    await recognise(context, session)
    return session
  }
  Object.assign(server.Session.prototype, {
    ensureClientContainer: () => undefined,
    sidFor() {
      const grant = Provider.ctx?.oidc.entities.Grant
      return grant && sidOf(grant)
    },
  })
}

/** Returns the grant of a request: the one that the person has just allowed, or that of an earlier consent to a site. */
export async function findGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const allowed = oidc.result?.consent?.grantId
  if (allowed !== undefined) return readGrant(oidc.provider, allowed)
  const caller = callers.get(oidc)
  if (caller === undefined || oidc.client === undefined) return undefined
  return continueConsent(oidc.provider, caller, oidc.client.clientId)
}
