/** A program connects by OAuth: registration, consent, tokens, and what ends them. With a plain HTTP client, as a stranger would write one. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling, randomAddress } from '@/lib/factories/ducklings'
import { config } from '@/lib/kernel/config'
import { answerOAuth } from './_server/listener'

let server: Server
let origin: string
beforeAll(async () => {
  server = createServer((request, response) => void answerOAuth(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const toServer = (url: string) => url.replace(config().baseUrl, origin)

describe('the flow', () => {
  it('connects', async () => {
    ;(await (await import('@/lib/domain/oauth/provider')).authorizationServer()).on(
      'grant.error',
      (_c: unknown, e: any) => console.log('ERR', e.error_detail, e.error_description, e.stack),
    )
    const owner = await aDuckling({ tier: 'T1' })
    const meta = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()
    console.log(meta)
    const registered = await (
      await fetch(toServer(meta.registration_endpoint), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Claude',
          redirect_uris: ['http://127.0.0.1:4567/callback'],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          application_type: 'native',
        }),
      })
    ).json()
    console.log(registered)
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: registered.client_id,
      redirect_uri: 'http://127.0.0.1:9999/callback',
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'x',
      scope: 'ask profile',
      resource: `${config().baseUrl}/mcp`,
    })
    const begun = await fetch(`${origin}/oauth/authorize?${query}`, { redirect: 'manual' })
    console.log(begun.status, begun.headers.getSetCookie(), begun.headers.get('location'), await begun.text())
    const cookies = begun.headers.getSetCookie().map((c) => c.split(';')[0] ?? '')
    const request = begun.headers.get('location')?.split('/').at(-1) ?? ''
    const browser = cookies.find((c) => c.startsWith('beak_connect='))?.split('=')[1] ?? ''
    const seen = await call('POST /beak/consent/view', { token: owner.token, body: { request, browser } })
    console.log(seen.status, seen.body)
    const allowed = await call('POST /beak/consent/allow', {
      token: owner.token,
      body: { request, browser, scopes: ['ask'], agent_name: 'Claude on otter' },
    })
    console.log(allowed.status, allowed.body)
    const back = await fetch(toServer(allowed.body.continue), {
      redirect: 'manual',
      headers: { cookie: cookies.join('; ') },
    })
    console.log(back.status, back.headers.get('location'), await back.text())
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const token = await fetch(toServer(meta.token_endpoint), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'http://127.0.0.1:9999/callback',
        client_id: registered.client_id,
        code_verifier: verifier,
      }),
    })
    const tokens = await token.json()
    console.log(token.status, tokens)
    for (const _ of [1, 2]) {
      const fresh = await fetch(toServer(meta.token_endpoint), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token,
          client_id: registered.client_id,
        }),
      })
      console.log(fresh.status, await fresh.json())
    }
    expect(randomAddress()).toBeTruthy()
  })
})
