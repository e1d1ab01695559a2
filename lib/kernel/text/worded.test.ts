import { englishText, say, type Wording } from '@beak/decision/wording'
import { describe, expect, it } from 'vitest'
import { withoutMarks } from './kept-values'
import { worded } from './worded'

/** As the database and the API have it. */
const stored = (wording: object) => JSON.parse(JSON.stringify(wording)) as Wording

const approved = say('whom_person', { name: 'Teal' })

describe('worded', () => {
  it.each([
    say('same_name', { whom: approved }),
    say('involves_amount', { amount: { amount: 5, currency: 'EUR' } }),
    say('new_key', { age: 7200 }),
    say('whom_person_on', { name: 'Teal', day: '11-23' }),
  ])('%#: writes in English what the API says', (wording) => {
    expect(withoutMarks(worded(stored(wording)) ?? '')).toBe(englishText(wording))
  })

  it.each([
    ['a sentence that the table lacks', { sentence: 'same_colour', values: {} }],
    ['the name of a member that every object has', { sentence: 'constructor', values: {} }],
    [
      'a part that the table lacks',
      { sentence: 'same_name', values: { whom: { sentence: 'whom_duck', values: {} } } },
    ],
    [
      'a part without its value',
      { sentence: 'same_name', values: { whom: { sentence: 'whom_person', values: {} } } },
    ],
    ['a value that is missing', { sentence: 'same_name', values: {} }],
    ['no value', { sentence: 'same_name', values: { whom: null } }],
    ['a day that is none', { sentence: 'whom_person_on', values: { name: 'Teal', day: 'soon' } }],
    [
      'an amount beyond every number',
      say('involves_amount', { amount: { amount: Infinity, currency: 'EUR' } }),
    ],
  ])('leaves the stored text of a sentence with %s', (_, wording) => {
    expect(worded(stored(wording))).toBeNull()
  })
})
