import { expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { GET } from './route'

it('names the support page of this service, and expires within a year', async () => {
  const { baseUrl } = config()
  useConfig({ baseUrl: 'https://beak.example' })
  const response = GET()
  useConfig({ baseUrl })
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = new Map(
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  )
  expect(fields.get('Contact')).toBe('https://beak.example/support')
  expect(fields.get('Canonical')).toBe('https://beak.example/.well-known/security.txt')
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
})
