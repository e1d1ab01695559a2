/** The Content Security Policy of the pages (proxy.tsx). */
import { NextRequest } from 'next/server'
import { expect, it } from 'vitest'
import { proxy } from '@/proxy'

function scriptSources(): string {
  const policy = proxy(new NextRequest('http://localhost/')).headers.get('content-security-policy') ?? ''
  return policy.split('; ').find((directive) => directive.startsWith('script-src ')) ?? ''
}

// security: site-7, check-61
it('gives every response its own nonce and allows no other inline script', () => {
  const answers = Array.from({ length: 20 }, scriptSources)
  expect(new Set(answers).size).toBe(20)
  for (const sources of answers)
    expect(sources).toMatch(/^script-src 'nonce-[A-Za-z0-9+/=]{40,}' 'strict-dynamic'$/)
})
