import { afterEach, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { relyingParty } from './relying-party'

const { baseUrl } = config()
afterEach(() => useConfig({ baseUrl }))

it('has neither port nor path in its id, and no path in its origin', () => {
  useConfig({ baseUrl: 'https://beak.example:8443/prod' })
  expect(relyingParty()).toMatchObject({ id: 'beak.example', origin: 'https://beak.example:8443' })
})
