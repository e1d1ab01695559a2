/**
 * The pages' security headers: a Content Security Policy with a nonce of its own for every answer, so that no script runs that
 * we did not send. The API sets its own headers and does not come through here. Forms and server actions that another site
 * sends are refused.
 */
import { type NextRequest, NextResponse } from 'next/server'
import { isCrossOriginChange, refuseCrossOrigin } from '@/lib/http/cross-origin'
import { transportHeaders } from '@/lib/http/transport'

function policy(nonce: string, isDevelopment: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Next and Radix set styles in attributes; scripts have no such way.
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

/** next-auth has a gate of its own, which answers its scripts as they expect. */
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
  // What is excepted is excepted by its whole name: `/beaks` is a page that is not there, and a page all the same.
  matcher: [
    {
      source:
        '/((?!(?:beak|healthz|readyz)(?:/|$)|\\.well-known/(?:jwks\\.json|status-list/[^/]+|tlog/(?:checkpoint|vkeys|tile/.+))/?$|_next/static/|icon\\.svg$|badge/[^/]+$).*)',
    },
  ],
}
