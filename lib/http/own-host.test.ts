import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { config, useConfig as replaceConfig, useConfig } from '@/lib/kernel/config'
import { isCrossOrigin, setOwnHost } from './own-host'

function hostAfter(method: string, given: Record<string, string>) {
  const before = config()
  onTestFinished(() => replaceConfig(before))
  replaceConfig({ baseUrl: 'https://beak.example:8443/prod' })
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method, headers: { ...given } })
  setOwnHost(request)
  return request.headers
}

it.each<Record<string, string>>([
  {},
  { host: '127.0.0.1:3000' },
  { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
])('gives a form with the headers %j the host of BASE_URL', (given) =>
  expect(hostAfter('POST', given)).toEqual({ host: 'beak.example:8443' }),
)

it('leaves the host of a page, which the outbox of a developer compares', () => {
  expect(hostAfter('GET', { host: 'evil.example' })).toEqual({ host: 'evil.example' })
})

describe('cross origin', () => {
  const { baseUrl } = config()
  afterEach(() => useConfig({ baseUrl }))

  it('compares the origin of a form with the origin of BASE_URL, without its path', () => {
    useConfig({ baseUrl: 'https://beak.example/prod' })
    const from = (origin: string) =>
      isCrossOrigin(new Request('https://beak.example/prod', { headers: { origin } }))
    expect(from('https://beak.example')).toBe(false)
    expect(from('https://beak.example.evil.example')).toBe(true)
    expect(from('http://beak.example')).toBe(true)
  })
})
