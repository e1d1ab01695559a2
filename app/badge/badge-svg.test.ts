import { describe, expect, it } from 'vitest'
import { badgeSvg, escapeXml } from './badge-svg'

const holder = { name: 'Mallard', tier: 'T2' }

describe('badgeSvg', () => {
  it.each([
    ['valid', 'Valid'],
    ['revoked', 'Revoked'],
    ['superseded', 'Replaced'],
  ] as const)('names the state and the owner of a certificate that is %s', (state, word) => {
    const svg = badgeSvg({ state, holder })
    expect(svg).toContain(`>${word}</text>`)
    expect(svg).toMatch(/<title id="t">Beak: the certificate of Mallard [^<]+\.<\/title>/)
    expect(svg).toContain('Mallard')
  })

  it.each(['revoked', 'superseded', 'unknown', 'malformed', 'unchecked'] as const)(
    'never looks valid when the state is %s',
    (state) => {
      const svg = badgeSvg({ state, holder: null })
      expect(svg).not.toMatch(/\bvalid\b/i)
      expect(svg).not.toContain('M3.5 8.5l3 3 6-7')
      expect(svg).not.toContain('class="good"')
    },
  )

  it('loads no other resource', () => {
    expect(badgeSvg({ state: 'valid', holder })).not.toMatch(
      /href|url\(|@import|<script|<image|<foreignObject/i,
    )
  })

  // security: check-57
  it('escapes markup in a name', () => {
    const svg = badgeSvg({ state: 'valid', holder: { name: `"><script>alert('&')</script>`, tier: 'T1' } })
    expect(svg).not.toContain('<script')
    expect(svg).toContain(escapeXml(`"><script>alert('&')</script>`))
  })
})
