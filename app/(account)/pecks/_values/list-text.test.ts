import { expect, it } from 'vitest'
import { listText } from './list-text'

it.each([
  ['["email"]', 'email'],
  ['["name","email",3]', 'name, email, 3'],
])('shows the list %s with commas', (text, words) => {
  expect(listText(text)).toBe(words)
})

it.each(['[]', '[""]', '[{"a":1}]', '[["a"]]', '[note] call back', 'email', '[1,'])(
  'leaves %s as it is',
  (text) => {
    expect(listText(text)).toBe(text)
  },
)
