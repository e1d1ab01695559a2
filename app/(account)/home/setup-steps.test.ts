import { describe, expect, it } from 'vitest'
import { setupSteps } from './setup-steps'

const steps = (
  viewer: object,
  progress: { hasPasskey?: boolean; silentAgent?: string; hasDecided?: boolean } = {},
) =>
  setupSteps({
    viewer: { trust_tier: 'T1', email_verified: true, cert_status: 'none', ...viewer } as never,
    hasPasskey: false,
    silentAgent: null,
    hasDecided: false,
    ...progress,
  })

describe('the setup steps', () => {
  it('lead a newcomer to the code, also from the step that needs a confirmed email', () => {
    const list = steps({ email_verified: false })
    expect(list.map(({ name, href }) => `${name} ${href}`)).toEqual([
      'Email /welcome',
      'Agent /agents/new',
      'Passkey /security#add-passkey',
      'Certificate /welcome',
    ])
    expect(list[3]?.why).toMatch(/First, confirm your email\.$/)
  })

  it('lead to what to say to an agent whose first request is not decided', () => {
    const [, agent] = steps({}, { silentAgent: 'AGT-1' })
    expect(agent).toMatchObject({ isDone: false, href: '/connect/first/AGT-1' })
  })

  it('are all done after the first decision, also with a revoked certificate', () => {
    const list = steps({ cert_status: 'revoked' }, { hasPasskey: true, hasDecided: true })
    expect(list.filter(({ isDone }) => !isDone)).toEqual([])
  })
})
