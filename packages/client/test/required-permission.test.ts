/** What an agent accepts of a shop's demand. The cases are also those of the Python client. */
import { Beak, RequiredPermissionError, requiredPermission } from '@beak/client'
import { describe, expect, it } from 'vitest'
import cases from '../../contract/required-permissions.json'

interface Case {
  about: string
  address: string
  /** Null: accepted. `address`: the address of the call is refused. */
  reason: 'malformed' | 'audience' | 'address' | null
  /** Null: the member is missing. */
  changes: Record<string, unknown>
}

/** Returns the demand with changes, of which those that are null are left out. */
function demand(changes: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries({ ...cases.required, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

it.each(cases.cases as Case[])('answers $reason for $about', ({ address, reason, changes }) => {
  const read = () => requiredPermission(address, { status: 401, required: demand(changes) })
  if (reason === null) expect(read()).toEqual(demand(changes))
  else if (reason === 'address') expect(read).toThrow(TypeError)
  else expect(read).toThrow(expect.objectContaining({ name: 'RequiredPermissionError', reason }))
})

it.each([null, [], 'required', {}, { required: null }, { required: 'place:order' }])(
  'refuses %j, which is not the answer of a guard',
  (answer) => {
    expect(() => requiredPermission('https://shop.example/', answer)).toThrow(RequiredPermissionError)
  },
)

it('leaves out members that it does not know', () => {
  const answer = { required: { ...cases.required, target: 'DUCK-EVIL', expires_in: 60 } }
  expect(requiredPermission('https://shop.example/', answer)).toEqual(cases.required)
})

describe('a client', () => {
  // security: agent-20
  it.each([
    'https://evil.example',
    'https://beak.example.evil.example',
    'https://beak.example:8443',
    'https://beak.example/other',
    'https://beak.example@evil.example',
    'http://beak.example',
    'HTTPS://BEAK.EXAMPLE',
    '',
  ])('sends nothing to anybody when a shop names the issuer %j', async (issuer) => {
    const sent: string[] = []
    const fetch = async (address: string) => {
      sent.push(address)
      return new Response(null, { status: 500 })
    }
    const beak = new Beak({ url: 'https://beak.example', key: 'beak_key_of_the_agent', fetch })
    const required = requiredPermission('https://shop.example/', {
      required: demand({ issuer }),
    })
    const error = await beak.requestPermission({ target: '@teal', ...required }).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(RequiredPermissionError)
    expect(error).toMatchObject({ reason: 'issuer', named: issuer })
    expect(sent).toEqual([])
  })

  it.each([
    ['https://beak.example', 'https://beak.example'],
    ['http://127.0.0.1:4010', 'http://localhost:4010'],
    ['http://[::1]:4010/prod', 'http://localhost:4010/prod'],
  ])('of %s asks at its own address for the issuer %s, and does not send the name', async (url, issuer) => {
    const sent: unknown[] = []
    const fetch = async (address: string, { body }: RequestInit) => {
      sent.push(address, JSON.parse(String(body)))
      return new Response(null, { status: 404 })
    }
    const beak = new Beak({ url, key: 'beak_key_of_the_agent', fetch })
    await beak.requestPermission({ target: '@teal', action: 'place:order', issuer }).catch(() => undefined)
    expect(sent).toEqual([
      `${url}/beak/peck/request`,
      { target_duckling_id: '@teal', action: 'place:order', scope: 'limited' },
    ])
  })

  it.each([
    ['http://localhost:4010', 'http://localhost:4011'],
    ['http://localhost:4010', 'http://localhost.evil.example:4010'],
    ['http://localhost:4010', 'http://localhost:4010@evil.example'],
    ['http://localhost:4010', 'http://localhost:4010/other'],
  ])('of %s refuses the issuer %s', async (url, issuer) => {
    const beak = new Beak({ url, fetch: () => Promise.reject(new Error('something was sent')) })
    const asked = beak.requestPermission({ target: '@teal', action: 'place:order', issuer })
    await expect(asked).rejects.toMatchObject({ reason: 'issuer', named: issuer })
  })
})
