import { expect, it } from 'vitest'
import { parseMailbox, parseSender } from './environment'

it.each([
  ['noreply@beak.example', null, 'noreply@beak.example'],
  [' noreply@beak.example ', null, 'noreply@beak.example'],
  ['<noreply@beak.example>', null, 'noreply@beak.example'],
  ['Beak Team <noreply@beak.example>', 'Beak Team', 'noreply@beak.example'],
  ['Beak Team<noreply@Beak.Example>', 'Beak Team', 'noreply@beak.example'],
  ['"Beak, Inc. (EU)" <noreply@beak.example>', 'Beak, Inc. (EU)', 'noreply@beak.example'],
  ['"Say \\"beak\\"" <noreply@beak.example>', 'Say "beak"', 'noreply@beak.example'],
  ['Größe 名 <a+b@münchen.example>', 'Größe 名', 'a+b@xn--mnchen-3ya.example'],
  ['beak@localhost', null, 'beak@localhost'],
  ['beak@[127.0.0.1]', null, 'beak@[127.0.0.1]'],
])('reads the sender %s', (text, name, address) => {
  expect(parseSender(text)).toEqual({ name, address })
})

it.each([
  '',
  'beak',
  '@beak.example',
  'a@b@beak.example',
  'a..b@beak.example',
  '.a@beak.example',
  'a b@beak.example',
  '"a b"@beak.example',
  'a@beak.example.',
  'a@beak..example',
  'a@beak.example, b@beak.example',
  'Team: a@beak.example;',
  'a@x <b@beak.example>',
  'Beak\r\nBcc: x@y <a@beak.example>',
  `${'a'.repeat(65)}@beak.example`,
  'é@beak.example',
])('refuses %j', (text) => {
  expect([parseSender(text), parseMailbox(text)]).toEqual([null, null])
})
