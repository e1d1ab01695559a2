import { describe, expect, it } from 'vitest'
import { setupSteps } from './setup-steps'

const steps = (viewer: object, hasPasskey = false, hasAgent = false) =>
  setupSteps({
    viewer: { trust_tier: 'T1', email_verified: true, cert_status: 'none', ...viewer } as never,
    hasPasskey,
    hasAgent,
  })
const hrefs = (viewer: object, hasPasskey = false, hasAgent = false) =>
  Object.fromEntries(steps(viewer, hasPasskey, hasAgent).map(({ name, href }) => [name, href]))
const why = (list: ReturnType<typeof steps>, wanted: string) => list.find(({ name }) => name === wanted)?.why

describe('the setup steps', () => {
  it('lead a newcomer to the code, also from the steps that need a confirmed email', () => {
    const list = steps({ trust_tier: 'T0', email_verified: false })
    expect(list.map(({ name, href }) => `${name} ${href}`)).toEqual([
      'Email /welcome',
      'Certificate /welcome',
      'Passkey /security#add-passkey',
      'Agent /agents/new',
      'Phone /welcome',
      'Tier T3 /welcome',
    ])
    expect(why(list, 'Phone')).toMatch(/First, confirm your email\.$/)
  })

  it('lead from T1 to the phone, which the step to T3 needs first', () => {
    expect(hrefs({})).toMatchObject({
      Certificate: '/certificate#issue',
      Phone: '/security#confirm-phone',
      'Tier T3': '/security#confirm-phone',
    })
    expect(why(steps({}), 'Tier T3')).toBe(
      'Unlocks tier T3: requests to people who accept only T3. First, confirm your phone.',
    )
  })

  it('lead from T2 to a passkey, and with a passkey to T3', () => {
    const t2 = { trust_tier: 'T2', cert_status: 'active' }
    expect(hrefs(t2)['Tier T3']).toBe('/security#add-passkey')
    expect(why(steps(t2), 'Tier T3')).toMatch(/First, add a passkey\.$/)
    expect(hrefs(t2, true)['Tier T3']).toBe('/security#confirm-passkey')
  })

  it('are all done at T3 with a certificate and an agent, even when the certificate is revoked', () => {
    const list = steps({ trust_tier: 'T3', cert_status: 'revoked' }, true, true)
    expect(list.filter(({ isDone }) => !isDone)).toEqual([])
  })
})
