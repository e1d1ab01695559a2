/**
 * Sets the security headers of the pages. Each answer has a Content Security Policy with a new nonce, so the browser runs only
 * scripts of this answer. Refuses forms and server actions from other origins. The API sets its own headers elsewhere.
 */
import { type NextRequest, NextResponse } from 'next/server'
import { transportHeaders } from '@/lib/http/answer'
import { isCrossOriginChange, refuseCrossOrigin } from '@/lib/http/own-host'

function policy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Next and Radix set styles in attributes. Scripts in attributes stay forbidden.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** next-auth checks the origin itself, and answers its scripts in the form that they expect. */
const isAuth = (path: string) => path.startsWith('/api/auth/')

export function proxy(request: NextRequest): Response {
  if (isCrossOriginChange(request) && !isAuth(request.nextUrl.pathname)) {
    const headers = new Headers(transportHeaders())
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    return refuseCrossOrigin(request, headers)
  }
  const nonce = btoa(crypto.randomUUID())
  const value = policy(nonce, process.env.NODE_ENV === 'development')
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('Content-Security-Policy', value)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', value)
  for (const [name, value] of Object.entries(transportHeaders())) response.headers.set(name, value)
  return response
}

export const config = {
  // The exceptions match whole path segments: `/beaks` is an unknown page, so it needs the headers of a page.
  matcher: [
    {
      source:
        '/((?!(?:beak|mcp|healthz|readyz)(?:/|$)|\\.well-known/(?:jwks\\.json|oauth-protected-resource(?:/.+)?|status-list/[^/]+|tlog/(?:checkpoint|vkeys|tile/.+))/?$|_next/static/|icon\\.svg$|badge/[^/]+$).*)',
    },
  ],
}
