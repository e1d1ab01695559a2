import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'

async function aCertificate() {
  const duckling = await aDuckling()
  const { body } = await call('POST /beak/cert/issue', { token: duckling.token })
  const verify = () => call(`GET /beak/cert/verify?cert_id=${body.cert_id}`)
  return { duckling, certificate: body, verify }
}

describe('200', () => {
  // security: check-35
  it('returns valid for an active certificate, and nothing private', async () => {
    const { duckling, certificate, verify } = await aCertificate()
    const { status, body } = await verify()
    expect(status).toBe(200)
    expect(body).toEqual({
      valid: true,
      status: 'active',
      cert_id: certificate.cert_id,
      tier: 'T1',
      issued_at: certificate.issued_at,
      revoked_at: null,
      display_name: duckling.displayName,
      issued_name: duckling.displayName,
      current_tier: 'T1',
      checked_at: expect.any(String),
      credential: certificate.credential,
    })
  })

  it('shows the name at the issue, also in the credential, until the account is closed', async () => {
    const { token, displayName } = await aDuckling({ fullName: 'Anna Weber' })
    const { body } = await call('POST /beak/cert/issue', { token })
    const names = async () => {
      const { body: seen } = await call(`GET /beak/cert/verify?cert_id=${body.cert_id}`)
      return [seen.issued_name, seen.full_name, seen.display_name]
    }
    const { credentialSubject } = decodeJwt<{ credentialSubject: object }>(body.credential)
    expect(credentialSubject).toMatchObject({ display_name: displayName, full_name: 'Anna Weber' })
    await call('POST /beak/name-change', { token, body: { full_name: '李雷', new_display_name: 'Teal' } })
    expect(await names()).toEqual(['Anna Weber', '李雷', 'Teal'])
    expect((await call('GET /beak/cert/view', { token })).body.issued_name).toBe('Anna Weber')
    await call('POST /beak/account/delete', { token })
    expect(await names()).toEqual(['Closed', undefined, 'Closed'])
  })

  it('returns not valid immediately after a revocation, without the reason', async () => {
    const { duckling, verify } = await aCertificate()
    const reason = 'a private matter'
    const revoked = await call('POST /beak/cert/revoke', { token: duckling.token, body: { reason } })
    const { body } = await verify()
    expect(body).toMatchObject({ valid: false, status: 'revoked', revoked_at: revoked.body.revoked_at })
    expect(JSON.stringify(body)).not.toContain(reason)
  })

  it('returns not valid for a superseded certificate, with the owner’s current tier', async () => {
    const { duckling, verify } = await aCertificate()
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T2' } })
    expect((await verify()).body).toMatchObject({ valid: true, tier: 'T1', current_tier: 'T2' })
    await call('POST /beak/cert/issue', { token: duckling.token })
    expect((await verify()).body).toMatchObject({ valid: false, status: 'superseded', revoked_at: null })
  })

  it('returns not valid when the account is closed, even if the certificate was not revoked', async () => {
    const { duckling, verify } = await aCertificate()
    const deletedAt = readClock()
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt } })
    expect((await verify()).body).toMatchObject({
      valid: false,
      status: 'revoked',
      revoked_at: deletedAt.toISOString(),
    })
  })
})

describe('400', () => {
  it.each([
    '',
    '?cert_id=',
    '?cert_id=CERT-1',
    '?cert_id=DUCK-01JD0000000000000000000000',
    '?cert_id=a&cert_id=b',
  ])('rejects %j', async (query) => {
    const { status, body } = await call(`GET /beak/cert/verify${query}`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'cert_id' }])
  })
})

describe('404', () => {
  it('returns valid: false for an unknown certificate', async () => {
    const { status, body } = await call('GET /beak/cert/verify?cert_id=CERT-01JD0000000000000000000000')
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'E4005', valid: false })
  })
})
