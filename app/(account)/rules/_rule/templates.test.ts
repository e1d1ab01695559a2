/** The examples of rules on real requests: what they say is what they answer. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aRule } from '@/lib/factories/rules'
import { chosenSteps, withSteps } from './steps'
import { answersOf, fromTemplate, namesAsked, templates, templatesFor } from './templates'

const answers: Record<string, string> = {
  shop: 'shop.example',
  repository: 'github.com/ada/otter',
  folder: '/home/ada/otter',
  to: 'anna@example.com',
  restaurant: 'Seeblick',
}

/** A request that each example answers, and changes after which it waits for the person. */
const asked: Record<string, { fits: object; waits: object[] }> = {
  spend: {
    fits: { shop: 'https://shop.example/cart', amount: '€12.00', item: 'Bread' },
    waits: [
      { shop: 'https://evil.example' },
      { amount: '€51.00' },
      { amount: 'US$12.00' },
      { to: 'x@evil.example' },
    ],
  },
  calendar: { fits: { day: '2026-12-01' }, waits: [{ share_with: 'x@evil.example' }] },
  push: {
    fits: {
      line: 'git push origin feature/x',
      repository: 'github.com/ada/otter',
      branch: 'feature/x',
      branches: 'feature/…',
      force: false,
      folder: '/home/ada/otter',
    },
    waits: [{ force: true }, { branches: 'release/…' }, { line: 'git push --force origin feature/x' }],
  },
  event: { fits: { title: 'Dentist', day: '2026-12-01' }, waits: [{ guests: 'x@evil.example' }] },
  mail: {
    fits: { to: 'anna@example.com', subject: 'Hello', text: 'See you at seven.' },
    waits: [{ to: 'x@evil.example' }, { cc: 'x@evil.example' }],
  },
  table: {
    fits: { restaurant: 'Seeblick', guests: 4, day: '2026-12-01', time: '19:00' },
    waits: [{ guests: 5 }, { restaurant: 'Other' }, { deposit: '€50.00' }],
  },
}

it('has an example of a request for each template', () => {
  expect(templates.map(({ id }) => id)).toEqual(Object.keys(asked))
})

describe.each(templates.map((template) => [template.id, template] as const))(
  'the example %s',
  (id, template) => {
    const { fits, waits } = asked[id] ?? { fits: {}, waits: [] }

    async function withRule() {
      const owner = await aDuckling()
      const agent = await anAgent(owner, { capabilities: ['request:peck', 'read:peck'], asksOthers: false })
      const { authenticator } = await aPasskey(owner)
      const own = [{ id: agent.agentId, name: 'Scout', codes: true }]
      const { start, parts, proposed } = fromTemplate(template, own, {
        who: agent.agentId,
        viewerId: owner.id,
        answers,
      })
      const rule = withSteps(start, parts, chosenSteps(parts, '', proposed))
      const rehearsed = await call('POST /beak/rule/rehearse', { token: owner.token, body: { rule } })
      expect(rehearsed.body).toMatchObject({ needs_passkey: true, sentence: expect.any(String) })
      await aRule(owner, authenticator, rule)
      const ask = async (params: object) => {
        const { body } = await call('POST /beak/peck/request', {
          key: agent.beakKey,
          body: { target_duckling_id: owner.id, action: template.action, params: { ...fits, ...params } },
        })
        return body.status
      }
      return { ask }
    }

    it('answers what it says, and leaves the rest to the person', async () => {
      const { ask } = await withRule()
      expect(await ask({})).toBe('approved')
      for (const change of waits) expect([change, await ask(change)]).toEqual([change, 'pending'])
    })
  },
)

describe('templatesFor', () => {
  const assistant = { id: 'AGT-1', name: 'Assistant', codes: false }
  const coder = { id: 'AGT-2', name: 'Coder', codes: true }

  it('proposes pushes only for a coding agent, and the rest for another agent when there is one', () => {
    expect(templatesFor([])).toEqual([])
    expect(templatesFor([assistant]).map(({ template }) => template.id)).not.toContain('push')
    const both = templatesFor([coder, assistant])
    expect(both.map(({ template: { id }, agent }) => [id, agent.name])).toContainEqual(['push', 'Coder'])
    expect(both.find(({ template }) => template.id === 'mail')?.agent.name).toBe('Assistant')
  })
})

describe('the answers to an example', () => {
  const [spend] = templates
  const shopOf = (typed: string) => spend && answersOf(spend, () => typed).shop

  it('reads the host of a shop as people type it', () => {
    const typed = ['shop.example', 'Shop.Example', 'https://www.shop.example/cart?x=1', 'www.shop.example/']
    expect(typed.map(shopOf)).toEqual(typed.map(() => 'shop.example'))
  })

  it('takes no name of a shop and no other text for its address', () => {
    for (const typed of ['', 'Markthalle', 'shop@', 'a shop.example', 'javascript:alert(1)', 'https://'])
      expect(shopOf(typed)).toBe('')
  })

  it('says which names a request needs', () => {
    const parts = spend?.parts({ shop: 'shop.example' }).map(([part]) => part) ?? []
    expect(namesAsked(parts)).toBe('shop, amount and item')
  })
})
