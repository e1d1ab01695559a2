import { describe, expect, it } from 'vitest'
import { rowOf } from './make-row'
import { announcementOf, type InboxAnswer } from './row'

type Item = InboxAnswer['items'][number]

const item = (change: Partial<Item> = {}): Item => ({
  peck_id: 'PECK-1',
  requester: {
    type: 'agent',
    duckling_id: 'DUCK-1',
    display_name: 'Mallard',
    trust_tier: 'T1',
    agent_id: 'AGT-1',
    agent_name: 'Scout” of Eider',
  },
  action: 'send:email',
  scope: 'limited',
  sentence: 'send an email, once, within 24 hours of the approval',
  value: { name: 'to', type: 'email', text: 'eider@pond.example' },
  risk_level: 'medium',
  first_contact: false,
  needs_passkey: false,
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  ...change,
})

const clippedText = (text: string) =>
  rowOf(item({ value: { name: 'x', type: 'text', text } }), 'DUCK-2').value

describe('rowOf', () => {
  it('has the words of the action, the value, and who asks', () => {
    expect(rowOf(item(), 'DUCK-2')).toMatchObject({
      asker: 'AGT-1',
      name: '“Scout of Eider”',
      operator: 'Mallard',
      owner: { duckling_id: 'DUCK-1', trust_tier: 'T1' },
      words: 'Send an email',
      value: 'eider@pond.example',
    })
    expect(rowOf(item(), 'DUCK-1')).toMatchObject({ operator: 'you', owner: null })
  })

  it('quotes an action that the service has no words for', () => {
    expect(rowOf(item({ action: 'frobnicate:pond' }), 'DUCK-2').words).toBe('“frobnicate:pond”')
  })

  it('shows a long value as one short line, with hidden characters made visible', () => {
    expect(clippedText('a\u202eb\n\nc')).toBe('a⟨U+202E⟩b c')
    expect(clippedText('x'.repeat(10_000))).toBe(`${'x'.repeat(80)} …`)
  })
})

it('shows a plain value with its name', () => {
  const value = { name: 'cascade', type: 'value' as const, text: 'true' }
  expect(rowOf(item({ value }), 'DUCK-2').value).toBe('cascade: true')
})

it('shows the value also after a long name', () => {
  const value = { name: `database ${'x'.repeat(200)}`, type: 'value' as const, text: 'customers' }
  expect(rowOf(item({ value }), 'DUCK-2').value).toBe(`database ${'x'.repeat(15)} …: customers`)
})

describe('announcementOf', () => {
  it.each([
    ['DUCK-1', '“Scout of Eider”, your agent, wants to send an email: eider@pond.example.'],
    ['DUCK-2', '“Scout of Eider”, an agent of Mallard (…CK-1), wants to send an email: eider@pond.example.'],
  ])('for %s is one sentence', (viewerId, sentence) => {
    expect(announcementOf(rowOf(item(), viewerId))).toBe(sentence)
  })
})
