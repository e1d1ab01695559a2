import { listedAction } from '@beak/decision/action-words'
import { actionWords } from '@beak/decision/display/display'
import { describe, expect, it } from 'vitest'
import { parseSentence } from '@/scripts/messages/sentence.mjs'
import english from './action.en.json'
import { shownExtent } from './extent'
import { actionLabel, isKnownAction, quotedAction, shownAction, shownRequest } from './shown-action'

/** Returns the values that the table has words for, such as "email". */
const casesOf = (name: 'verb' | 'object') =>
  parseSentence(english[name]).flatMap(({ cases = [] }) => cases.map(([when]) => when.replaceAll('_', '-')))

describe('shownAction', () => {
  it('shows in English the words that are signed, for every verb and object of the table', () => {
    const actions = [
      ...casesOf('verb').map((verb) => `${verb}:email`),
      ...casesOf('object').map((object) => `send:${object}`),
      'read:profile',
      'test:request',
    ]
    // Only the form of an action without words differs: “other email” for `other:email`.
    for (const action of actions) expect(shownAction(action)).toBe(actionWords(action).replace(':', ' '))
    const listed = actions.filter((action) => listedAction(action) !== null)
    expect(listed.length).toBeGreaterThan(actions.length - 10)
  })
})

describe('actionLabel', () => {
  it('begins with a capital letter, and keeps the quotation marks of an action without words', () => {
    expect(actionLabel('send:email')).toBe('Send an email')
    expect(actionLabel('order:vegetable_box')).toBe('“order vegetable box”')
  })

  it('says whose profile is read, depending on the reader', () => {
    expect(actionLabel('read:profile')).toBe('Read your profile')
    expect(actionLabel('read:profile', 'the')).toBe('Read the profile')
  })
})

describe('quotedAction', () => {
  it('puts the label in quotation marks, once', () => {
    expect(quotedAction('send:email')).toBe('“Send an email”')
    expect(quotedAction('frobnicate:pond')).toBe('“frobnicate pond”')
  })
})

describe('shownRequest', () => {
  it('calls the profile and the email address “your” only for their owner', () => {
    const request = { action: 'read:profile', params: { fields: ['email'] } }
    expect(shownRequest(request, true)).toBe('read your profile and your email address')
    expect(shownRequest(request, false)).toBe('read the profile and the email address')
    expect(shownRequest({ ...request, params: {} }, false)).toBe('read the profile')
  })
})

it.each([
  ['send:email', true],
  ['read:profile', true],
  ['test:request', true],
  ['frobnicate:pond', false],
  ['send:everything-is-verified', false],
])('isKnownAction: %s is %s', (action, isKnown) => {
  expect(isKnownAction(action)).toBe(isKnown)
})

it.each([
  ['send:email', 'limited', 3600, { extent: 'once', lifetime: '1 hour' }],
  ['send:email', 'timed', 86_400, { extent: 'timed', lifetime: '24 hours' }],
  ['send:email', 'standing', null, { extent: 'standing', lifetime: '' }],
  ['test:request', 'limited', 3600, { extent: 'test', lifetime: '1 hour' }],
])('shownExtent: %s, %s, %j', (action, scope, grantSeconds, extent) => {
  expect(shownExtent({ action, scope, grantSeconds })).toEqual(extent)
})
