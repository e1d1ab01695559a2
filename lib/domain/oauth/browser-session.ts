/** Who a browser is, for sites: the session of Beak says so, and no other one. */
import type { Grant, KoaContextWithOIDC, default as Provider, Session } from 'oidc-provider'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import { isOwnSignIn } from '@/lib/domain/sessions/proof'
import type { SessionCaller } from '@/lib/kernel/request/context'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { latest, readClock } from '@/lib/kernel/runtime/clock'
import { isSiteId } from './site-client'
import { passkeyAcr } from './site-scopes'
import { continueConsent, sidOf } from './site-sign-ins'

/** Methods that RFC 8176 names. */
const standardMethods = new Set(['otp', 'pwd', 'pop'])

/** How and when the person of a session was last authenticated, as an ID token says it. */
export function authenticationOf({ authTime, passkeyAt, amr }: SessionCaller) {
  const known = amr.filter((method) => standardMethods.has(method))
  const methods = [...new Set(passkeyAt === null ? known : [...known, 'pop'])]
  return {
    at: passkeyAt === null ? authTime : latest([authTime, passkeyAt]),
    ...(methods.length > 0 && { amr: methods }),
    ...(passkeyAt !== null && { acr: passkeyAcr }),
  }
}

export const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

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
export function recogniseBrowsers(server: Provider): void {
  const sessions = server.Session as unknown as { get(context: KoaContextWithOIDC): Promise<Session> }
  const get = sessions.get.bind(sessions)
  sessions.get = async (context) => {
    const session = await get(context)
    await recognise(context, session)
    return session
  }
  Object.assign(server.Session.prototype, {
    ensureClientContainer: () => undefined,
    sidFor(this: Session, clientId: string) {
      const grantId = this.grantIdFor(clientId)
      return grantId === undefined ? undefined : sidOf(grantId)
    },
  })
}

/** Returns the grant of a request: the one that the person has just allowed, or that of an earlier consent to a site. */
export async function findGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const allowed = oidc.result?.consent?.grantId
  if (allowed !== undefined) return oidc.provider.Grant.find(allowed)
  const caller = callers.get(oidc)
  if (caller === undefined || oidc.client === undefined) return undefined
  return continueConsent(oidc.provider, caller, oidc.client.clientId)
}
