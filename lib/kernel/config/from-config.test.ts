import { afterEach, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { fromConfig } from './from-config'

const before = config()
afterEach(() => useConfig(before))

it('computes the value once for each configuration', () => {
  let count = 0
  const value = fromConfig(({ baseUrl }) => `${++count} ${baseUrl}`)
  useConfig({ baseUrl: 'http://localhost:1' })
  expect([value(), value()]).toEqual(['1 http://localhost:1', '1 http://localhost:1'])
  useConfig({ baseUrl: 'http://localhost:2' })
  expect(value()).toBe('2 http://localhost:2')
})
