import { isLoopback } from '@beak/proofs/loopback'
import { BeakError } from '../../errors'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes } from '../exit'
import type { Session } from '../session'

export const logout = command({
  name: 'logout',
  summary: 'Sign out, and forget the session on this computer.',
  async run({ session }) {
    const url = await session.signedInUrl()
    const { current, services } = await session.stored()
    const { [url]: stored, ...others } = services
    if (!stored) throw new Exit(exitCodes.notSignedIn, `You are not signed in at ${url}.`)
    const beak = (await session.anonymous()).with({ token: stored.token })
    try {
      await beak.signOut()
    } catch (error) {
      // A session that has ended needs no sign-out.
      if (!(error instanceof BeakError && error.status === 401)) throw error
    }
    await session.store({
      current: current === url ? (Object.keys(others)[0] ?? null) : current,
      services: others,
    })
    session.output.result({ url, success: true }, () => `Signed out at ${url}.`)
  },
})

export const whoami = command({
  name: 'whoami',
  summary: 'Show who you are.',
  details: 'With BEAK_KEY: the agent, what it may do, and for whom it acts.',
  run: ({ session }) => (session.env.BEAK_KEY ? showAgent(session) : showPerson(session)),
})

/** No service has this name (RFC 6761, section 6.4), so nobody accepts the token that tells the agent its id. */
const nowhere = 'whoami.invalid'

async function showAgent(session: Session): Promise<void> {
  const beak = await session.beak('issueAgentToken')
  const { token } = await beak.issueAgentToken({ audience: nowhere })
  const [, claims = ''] = token.split('.')
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
  // Shows the agent of any service, also of a test service.
  const anonymous = (await session.anonymous()).with({ allowTest: isLoopback(beak.url) })
  const agent = await anonymous.verifyAgent({ agent_id: sub })
  const { operator } = agent
  session.output.facts({ url: beak.url, ...agent }, `Agent ${agent.agent_name}`, {
    id: agent.agent_id,
    status: agent.status,
    'acts for': `${operator.full_name ?? operator.display_name} (${operator.trust_tier})`,
    capabilities: agent.capabilities.join(', '),
    certificate: operator.cert_id,
    service: beak.url,
  })
}

async function showPerson(session: Session): Promise<void> {
  const beak = await session.beak('getProfile')
  const profile = await beak.getProfile({})
  const stored = (await session.stored()).services[beak.url]
  session.output.facts({ url: beak.url, ...profile }, profile.full_name ?? profile.display_name, {
    id: profile.duckling_id,
    email: profile.email,
    tier: profile.trust_tier,
    certificate: profile.cert_id ?? profile.cert_status,
    service: beak.url,
    'session until': stored && !session.env.BEAK_TOKEN ? timeText(stored.expires_at) : '',
  })
}
