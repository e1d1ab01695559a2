import { BeakError } from '../../errors'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes } from '../exit'

export const logout = command({
  name: 'logout',
  summary: 'Sign out, and forget the session on this computer.',
  async run({ session }) {
    const url = await session.url()
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
  details: 'With BEAK_KEY: the operator of the agent, if the agent may read the profile.',
  async run({ session }) {
    const beak = await session.beak('getProfile')
    const profile = await beak.getProfile({})
    const stored = (await session.stored()).services[beak.url]
    session.output.facts({ url: beak.url, ...profile }, profile.full_name ?? profile.display_name, {
      id: profile.duckling_id,
      email: profile.email,
      tier: profile.trust_tier,
      certificate: profile.cert_id ?? profile.cert_status,
      service: beak.url,
      'session until':
        stored && !session.env.BEAK_TOKEN && !session.env.BEAK_KEY ? timeText(stored.expires_at) : '',
    })
  },
})
