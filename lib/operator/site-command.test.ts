import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { inServer } from '@/lib/fixtures/operator'
import { sha256 } from '@/lib/kernel/secrets/secrets'

const run = inServer('site')
const redirect = 'https://shop.example/callback'

describe('site', () => {
  it('registers a site, stores only a digest of its secret, lists it and deletes it', async () => {
    const { code, output } = await run('Pond Shop', redirect, '--notify', 'https://shop.example/ended')
    const [, id = '', secret = ''] = /client_id: (SITE-\w+)\nclient_secret: (\w{52})\n/.exec(output) ?? []
    expect(code).toBe(0)
    const row = await db().site.findUniqueOrThrow({ where: { id } })
    expect([row.ducklingId, row.host, row.logoutNoticeUri]).toEqual([
      null,
      'shop.example',
      'https://shop.example/ended',
    ])
    expect(row.idTokenAlg).toBe('RS256')
    expect(JSON.stringify(row)).not.toContain(secret)
    expect((await run()).output).toContain(`${id}  shop.example  Pond Shop`)
    const [, other = ''] = /client_secret: (\w{52})\n/.exec((await run('--new-secret', id)).output) ?? []
    expect(other).not.toBe(secret)
    const changed = await db().site.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(changed.secretHash)).toEqual(sha256(other))
    expect((await run('--delete', id)).code).toBe(0)
    expect(await run('--delete', id)).toEqual({ code: 1, output: 'The operator has no such site.' })
  })

  it('signs ID tokens as the operator says', async () => {
    const { output } = await run('Pond Shop', redirect, '--sign-with', 'EdDSA')
    const [, id = ''] = /client_id: (SITE-\w+)/.exec(output) ?? []
    expect((await db().site.findUniqueOrThrow({ where: { id } })).idTokenAlg).toBe('EdDSA')
  })

  it.each([
    [['Pond Shop', redirect, '--sign-with', 'HS256'], 'id_token_signed_response_alg'],
    [['Pond Shop'], 'redirect_uris'],
    [['Pond Shop', 'http://shop.example/'], 'must be an https address'],
    [['Pond Shop', redirect, 'https://other.example/'], 'must all be at the same host'],
    [['--delete', 'nobody'], '--delete and --new-secret need the client_id'],
    [['--new-secret', `SITE-${'A'.repeat(26)}`], 'The operator has no such site'],
  ])('explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await run(...args)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })
})
