import { describe, expect, it } from 'vitest'
import { localPath, nextPath } from './local-path'

describe('localPath', () => {
  it.each(['/home', '/pecks?status=pending#top', '/verify/CERT-1', '/'])(
    'returns a path of this site unchanged: %s',
    (path) => {
      expect(localPath(path)).toBe(path)
    },
  )

  // security: site-8
  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/./\\evil.example',
    '/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/api/auth/error?error=E4006',
    'home',
    '',
    `/${'a'.repeat(3000)}`,
    ['/home', '/pecks'],
    undefined,
  ])('returns null for a value that leaves this site: %j', (value) => {
    expect(localPath(value)).toBeNull()
    expect(nextPath(value)).toBe('/home')
  })
})
