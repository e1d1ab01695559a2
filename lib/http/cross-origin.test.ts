import { afterEach, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { isCrossOrigin } from './cross-origin'

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
