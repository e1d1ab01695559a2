import { describe, expect, it } from 'vitest'
import { addressesIn } from './addresses'

const places = (text: string) => addressesIn(text).map(({ place }) => place)

describe('addressesIn', () => {
  it.each([
    ['boss@ok.com', ['boss@ok.com']],
    [' b\u043ess@corp.com', ['b\u043ess@corp.com']],
    ['Boss <b\u043ess@corp.com>', ['b\u043ess@corp.com']],
    ['"the boss"@corp.com', ['"@corp.com']],
    ['boss@ok.com, eve@evil.com', ['boss@ok.com', 'eve@evil.com']],
    ['boss@ok.com;eve@evil.com', ['boss@ok.com', 'eve@evil.com']],
    ['Write to Eve@evil.com.', ['eve@evil.com']],
    ['mailto:eve@evil.com?cc=boss@ok.com', ['eve@evil.com', 'boss@ok.com']],
    ['see https://Pond.example:8443/a?b=c', ['pond.example']],
    ['https://bank.example@evil.example/login', ['evil.example']],
    ['https://good.example\\@evil.example', ['good.example']],
    ['https://pond.example/to/eve@evil.com', ['pond.example', 'eve@evil.com']],
    ['open \u0430pple.com/login', ['\u0430pple.com']],
    ['Stra\u00dfe.pdf and 1.2.3 and @everyone', []],
  ])('finds the addresses in %j', (text, expected) => {
    expect(places(text)).toEqual(expected)
  })

  it.each(['a'.repeat(4096), 'a.'.repeat(2048), 'a@'.repeat(2048), 'a://'.repeat(1024), '"@'.repeat(2048)])(
    'reads 4 KiB without a long wait (%#)',
    (text) => {
      const start = performance.now()
      addressesIn(text)
      expect(performance.now() - start).toBeLessThan(500)
    },
  )
})
