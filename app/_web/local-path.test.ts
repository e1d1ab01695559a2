import { describe, expect, it } from 'vitest'
import { localPath, nextPath } from './local-path'

describe('a path to go to next', () => {
  it.each(['/home', '/pecks?status=pending#top', '/verify/CERT-1', '/'])(
    'is taken as it is when it is ours: %s',
    (path) => {
      expect(localPath(path)).toBe(path)
    },
  )

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
  ])('is none when it could lead elsewhere: %j', (value) => {
    expect(localPath(value)).toBeNull()
    expect(nextPath(value)).toBe('/home')
  })
})
