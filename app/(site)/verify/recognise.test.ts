import { describe, expect, it } from 'vitest'
import { recognise, textMax } from './recognise'

const number = '01JDV8K2M3N4P5Q6R7S8T9V0WX'
const jwt = (typ: string) =>
  `${Buffer.from(JSON.stringify({ alg: 'EdDSA', typ, kid: 'k?~' })).toString('base64url')}.e30.c2ln`
const secret = '0'.repeat(52)

describe('recognise', () => {
  it.each([
    ['a certificate number', `CERT-${number}`, { kind: 'certificate', id: `CERT-${number}` }],
    [
      'a number without its prefix',
      ` ${number.toLowerCase()} `,
      { kind: 'certificate', id: `CERT-${number}` },
    ],
    ['an agent', `agt-${number}`.toLowerCase(), { kind: 'agent', id: `AGT-${number}` }],
    [
      'the address of an agent',
      `https://beak.example/agents/AGT-${number}`,
      { kind: 'agent', id: `AGT-${number}` },
    ],
    [
      'the address of a request',
      `https://beak.example/pecks/PECK-${number}`,
      { kind: 'request', id: `PECK-${number}` },
    ],
    ['a receipt', '{"peck_id":"PECK-1","jws":"a.b.c"}', { kind: 'receipt' }],
    ['a receipt that was cut', '{"peck_id":"PECK-1","jw', { kind: 'receipt' }],
    ['a credential', jwt('vc+jwt'), { kind: 'credential', token: jwt('vc+jwt') }],
    [
      'a credential in an answer of the API',
      JSON.stringify({ valid: true, credential: jwt('vc+jwt') }),
      { kind: 'credential', token: jwt('vc+jwt') },
    ],
    ['an agent token', `Bearer ${jwt('agent+jwt')}\n`, { kind: 'agent_token', token: jwt('agent+jwt') }],
    ['a grant token', jwt('peck+jwt'), { kind: 'grant_token', token: jwt('peck+jwt') }],
    ['a sign-on token', `SSO-${number}${secret}`, { kind: 'sso_token', token: `SSO-${number}${secret}` }],
  ])('recognises %s', (_, text, expected) => {
    expect(recognise(text)).toEqual(expected)
  })

  it.each([
    ['a beak key', `beak_KEY-${number}_${secret}`],
    ['a handshake token', `HSK-${number}${secret}`],
    ['a session token', jwt('at+jwt')],
    ['a session token', JSON.stringify({ token: jwt('at+jwt') })],
  ])('recognises %s as a secret', (name, text) => {
    expect(recognise(text)).toEqual({ kind: 'secret', name })
  })

  it.each([
    ['an empty text', ' ', null],
    ['other words', 'my certificate', null],
    ['a number that is cut', `CERT-${number.slice(0, 12)}`, null],
    ['a text that is too long', `{${' '.repeat(textMax)}}`, null],
    ['three parts that are no token', 'a.b.c', /not of a kind/],
    ['a token of another kind', jwt('constructor'), /not of a kind/],
    ['the signature of a receipt', jwt('peck-receipt+jwt'), /whole receipt/],
    ['a duckling', `DUCK-${number}`, /certificate's number/],
  ])('returns "unknown" for %s', (_, text, hint) => {
    const found = recognise(text)
    expect(found.kind).toBe('unknown')
    if (hint === null) expect(found).toMatchObject({ hint: null })
    else expect(found).toMatchObject({ hint: expect.stringMatching(hint) })
  })
})
