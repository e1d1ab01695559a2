import { englishText } from '@beak/decision/wording'
import { describe, expect, it } from 'vitest'
import { type KnownAsker, likenessOf, type NamedAsker } from './likeness'

const now = new Date('2026-11-23T12:00:00.000Z')
const target = { ducklingId: 'DUCK-EIDER', displayName: 'Eider', fullName: null, handle: null }
const known = (change: Partial<KnownAsker> = {}): KnownAsker => ({
  ducklingId: 'DUCK-TEAL',
  displayName: 'Teal',
  fullName: 'Anna Weber',
  handle: 'teal-one',
  agentName: null,
  approvedAt: Date.parse('2026-11-20T23:59:00.000Z'),
  ...change,
})
const stranger = (
  change: Partial<NamedAsker['person']> = {},
  agentName: string | null = null,
): NamedAsker => ({
  agentName,
  person: { ducklingId: 'DUCK-MALLORY', displayName: 'Mallory', fullName: null, handle: null, ...change },
  target,
})
const likeness = (asker: NamedAsker, ...askers: KnownAsker[]) => {
  const found = likenessOf(asker, askers, now)
  return found && { rule: found.rule, text: englishText(found.wording) }
}

const scout = known({
  ducklingId: 'DUCK-MALLARD',
  displayName: 'Mallard',
  fullName: null,
  handle: null,
  agentName: 'Scout',
})

describe('a stranger', () => {
  it.each([
    ['the same display name', { displayName: 'Teal' }],
    ['a display name with a look-alike digit', { displayName: 'Tea1' }],
    ['the same full name', { fullName: 'Anna Weber' }],
    ['the full name in letters of another alphabet', { fullName: 'Аnnа Wеbеr' }],
    ['the full name with an accent', { fullName: 'Ánna Wéber' }],
    ['the full name as display name', { displayName: 'AnnaWeber' }],
    ['the display name as full name', { fullName: 'T e a l' }],
  ])('with %s of a known person is somebody else', (_, names) => {
    const expected = 'Not the Anna Weber you approved on 20 November: same name, other person.'
    expect(likeness(stranger(names), known())).toEqual({ rule: 'same_name', text: expected })
    expect(likeness(stranger(names, 'Helper'), known())).toMatchObject({ rule: 'same_name' })
  })

  it.each([
    ['a look-alike handle', { handle: 'tea1-0ne' }],
    ['the handle as name', { fullName: 'Teal One' }],
    ['a handle that is the name', { handle: 'anna-weber' }],
  ])('with %s of a known person is somebody else', (_, names) => {
    const expected =
      'Not the Anna Weber you approved on 20 November: the handle looks the same, other person.'
    expect(likeness(stranger(names), known())).toEqual({ rule: 'same_name', text: expected })
  })

  it('is compared with the people behind known agents', () => {
    expect(likeness(stranger({ displayName: 'MALLARD' }), scout)).toEqual({
      rule: 'same_name',
      text: 'Not the Mallard you approved on 20 November: same name, other person.',
    })
  })

  it('is compared with the target too', () => {
    const text = 'Not you: same name, other person.'
    expect(likeness(stranger({ displayName: 'Eider' }))).toEqual({ rule: 'same_name', text })
  })

  it('with the name of a known agent is a look-alike', () => {
    const text = 'Not the agent “Scout” you approved on 20 November: a person with its name.'
    expect(likeness(stranger({ displayName: 'Scout' }), scout)).toEqual({ rule: 'look_alike', text })
  })

  it('looks like nobody with another name, or with vowel signs that make another name', () => {
    expect(likeness(stranger(), known(), scout)).toBeNull()
    expect(likeness(stranger({ fullName: 'रोमी' }), known({ fullName: 'राम' }))).toBeNull()
    expect(likeness(stranger({ fullName: 'がき' }), known({ fullName: 'かき' }))).toBeNull()
    expect(likeness(stranger({ fullName: 'राम' }), known({ fullName: 'राम' }))).not.toBeNull()
  })

  it('is compared with the newest approval, which the text names with its year', () => {
    const old = known({ approvedAt: Date.parse('2024-02-01T00:00:00.000Z'), agentName: 'Bot' })
    const text = (...askers: KnownAsker[]) => likeness(stranger({ displayName: 'Teal' }), ...askers)?.text
    expect(text(old)).toContain('you approved on 1 February 2024:')
    expect(text(old, known())).toContain('you approved on 20 November:')
  })
})

describe('the agent of a stranger', () => {
  it.each(['Teal', 'Теаl', 'anna weber', 'teal-one'])(
    'named %s like a known person is a look-alike',
    (name) => {
      const text =
        'Not the Anna Weber you approved on 20 November: an agent with that name, of another person.'
      expect(likeness(stranger({}, name), known())).toEqual({ rule: 'look_alike', text })
    },
  )

  it('with the name of a known agent is a fact and no risk', () => {
    const text =
      "Not the agent “Scout” you approved on 20 November: this one belongs to Mallory, whom you don't know."
    expect(likeness(stranger({}, 'SCOUT'), scout)).toEqual({ rule: 'other_agent', text })
    const own = { ...target, agentName: 'Scout', approvedAt: now.getTime() }
    expect(likeness(stranger({}, 'Scout'), own)?.text).toMatch(
      /^Not your agent “Scout”: this one belongs to .*Mallory/,
    )
  })
})

describe('a name with two letters that look like one', () => {
  it.each([
    ['Marta Weber', 'Marta Vveber'],
    ['Marta Weber', 'MARTA VVEBER'],
    ['Marta Weber', 'Rnarta vveber'],
    ['Marta Weber', 'Marta Ѵѵeber'],
    ['Hedda Lind', 'Hecldá Lincl'],
    ['Nicla Weber', 'Nicla Vveber'],
    ['McIntyre', 'Mcintyre'],
  ])('instead of %s is a twin: %s', (fullName, other) => {
    expect(likeness(stranger({ fullName: other }), known({ fullName }))).toMatchObject({ rule: 'same_name' })
    expect(likeness(stranger({ fullName }), known({ fullName: other }))).toMatchObject({ rule: 'same_name' })
    expect(likeness(stranger({}, other), known({ fullName }))).toMatchObject({ rule: 'look_alike' })
  })

  it('is a twin of the target, whatever its agent is called', () => {
    const asker = {
      ...stranger({ fullName: 'Marta Vveber' }, 'Clerk'),
      target: { ...target, fullName: 'Marta Weber' },
    }
    expect(likeness(asker)).toEqual({ rule: 'same_name', text: 'Not you: same name, other person.' })
  })

  it('is found in agents, and in no name of which one letter is another', () => {
    expect(likeness(stranger({}, 'Sanclbox'), known({ agentName: 'Sandbox' }))?.rule).toBe('other_agent')
    for (const [fullName, other] of [
      ['Luda', 'Lucia'],
      ['Dara', 'Clara'],
      ['Eva', 'Ewa'],
    ] as const)
      expect(likeness(stranger({ fullName: other }), known({ fullName }))).toBeNull()
  })
})

describe('a new agent of a known person', () => {
  const mallory = known({ ducklingId: 'DUCK-MALLORY', displayName: 'Mallory', fullName: null, handle: null })

  it('is no twin, whatever the names of the person are', () => {
    const asker = stranger({ displayName: 'Teal' }, 'Helper')
    expect(likeness(asker, known(), { ...mallory, displayName: 'Teal' })).toBeNull()
    expect(likeness(stranger({}, 'Mallory'), mallory)).toBeNull()
  })

  // security: asker-10
  it('is a look-alike with the name of another known person', () => {
    expect(likeness(stranger({}, 'Teal'), known(), mallory)).toMatchObject({ rule: 'look_alike' })
  })
})

it('compares an own agent with nobody', () => {
  const own = { agentName: 'Teal', person: target, target }
  expect(likeness(own, known())).toBeNull()
})
