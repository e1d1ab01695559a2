import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { issueCertificate, revokeActiveCertificate } from '@/lib/domain/certs/issue'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'

/** Returns what the last transaction on a certificate's row added to the public count of certified ducklings. */
async function countedWith(certificateId: string): Promise<number> {
  const [row] = await db().rows<{ sum: number }>`
    SELECT coalesce(sum("delta"), 0)::int AS "sum" FROM "MetricDelta"
    WHERE "name" = 'certified' AND xmin = (SELECT xmin FROM "Certificate" WHERE "id" = ${certificateId})`
  return row?.sum ?? 0
}

describe('200', () => {
  it('issues a certificate, which view and profile show', async () => {
    const { id, token, displayName } = await aDuckling()
    const issued = await call('POST /beak/cert/issue', { token })
    expect(issued.status).toBe(200)
    expect(issued.body).toEqual({
      cert_id: expect.stringMatching(/^CERT-[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'active',
      tier: 'T1',
      display_name: displayName,
      issued_name: displayName,
      duckling_id: id,
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revoked_at: null,
      revocation_reason: null,
      verify_url: `http://localhost:3000/verify/${issued.body.cert_id}`,
      credential: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    expect((await call('GET /beak/cert/view', { token })).body).toEqual(issued.body)
    const profile = await call('GET /beak/profile', { token })
    expect(profile.body).toMatchObject({ cert_id: issued.body.cert_id, cert_status: 'active' })
    expect(await countedWith(issued.body.cert_id)).toBe(1)
  })

  it('supersedes a certificate at a lower tier, and counts its owner once', async () => {
    const { id, token } = await aDuckling()
    const first = await call('POST /beak/cert/issue', { token })
    await db().duckling.update({ where: { id }, data: { trustTier: 'T2' } })
    const second = await call('POST /beak/cert/issue', { token })
    expect(second.body).toMatchObject({ status: 'active', tier: 'T2' })
    expect(second.body.cert_id).not.toBe(first.body.cert_id)
    const old = await db().certificate.findUniqueOrThrow({ where: { id: first.body.cert_id } })
    expect(old).toMatchObject({ status: 'superseded', activeFor: null, revokedAt: null })
    expect(await countedWith(second.body.cert_id)).toBe(0)
    const events = await db().auditEvent.findMany({ where: { ducklingId: id }, orderBy: { seq: 'asc' } })
    expect(events.slice(-2)).toMatchObject([
      { action: 'cert.superseded', targets: [{ type: 'certificate', id: first.body.cert_id }] },
      { action: 'cert.issued', targets: [{ type: 'certificate', id: second.body.cert_id }] },
    ])
  })

  it('issues a new certificate after a revocation', async () => {
    const { token } = await aDuckling()
    const first = await call('POST /beak/cert/issue', { token })
    await call('POST /beak/cert/revoke', { token, body: { reason: 'lost' } })
    const second = await call('POST /beak/cert/issue', { token })
    expect(second.status).toBe(200)
    expect(second.body.cert_id).not.toBe(first.body.cert_id)
    expect(await countedWith(second.body.cert_id)).toBe(1)
  })
})

describe('403', () => {
  // security: check-46
  it('rejects a duckling at T0, names the required tier, and records the attempt', async () => {
    const { id, token } = await aDuckling({ tier: 'T0' })
    const { status, body } = await call('POST /beak/cert/issue', { token })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'E4002', required_tier: 'T1', current_tier: 'T0' })
    const [event] = await db().auditEvent.findMany({ where: { ducklingId: id }, orderBy: { seq: 'desc' } })
    expect(event).toMatchObject({
      action: 'cert.issued',
      outcome: 'denied',
      metadata: { code: 'E4002', failure: 'tier_too_low' },
    })
  })

  it('lets an agent view the certificate only with read:cert', async () => {
    const duckling = await aDuckling()
    const issued = await call('POST /beak/cert/issue', { token: duckling.token })
    const reader = await anAgent(duckling, { capabilities: ['read:cert'] })
    const other = await anAgent(duckling, { capabilities: ['read:profile'] })
    expect((await call('GET /beak/cert/view', { key: reader.beakKey })).body).toEqual(issued.body)
    expect((await call('GET /beak/cert/view', { key: other.beakKey })).body).toMatchObject({
      status: 403,
      code: 'E4007',
      required_capability: 'read:cert',
    })
  })
})

describe('409', () => {
  it('rejects a second certificate at the same tier, and does not change the first', async () => {
    const { token } = await aDuckling()
    const first = await call('POST /beak/cert/issue', { token })
    const second = await call('POST /beak/cert/issue', { token })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ code: 'E4008', current_status: 'active', action: expect.any(String) })
    expect((await call('GET /beak/cert/view', { token })).body).toEqual(first.body)
  })

  // security: check-42
  it('issues exactly one certificate for 50 simultaneous calls', async () => {
    const { id, token } = await aDuckling()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /beak/cert/issue', { token })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 E4008']),
    )
    expect(await db().certificate.count({ where: { ducklingId: id } })).toBe(1)
    const outcomes = await db().auditEvent.groupBy({
      by: ['outcome'],
      where: { ducklingId: id, action: 'cert.issued' },
      _count: true,
    })
    expect(Object.fromEntries(outcomes.map(({ outcome, _count }) => [outcome, _count]))).toEqual({
      success: 1,
      denied: 49,
    })
  })
})

describe('revoking: 200', () => {
  it('revokes permanently, mails the owner, and shows the reason only to the owner', async () => {
    const { id, email, token } = await aDuckling()
    const issued = await call('POST /beak/cert/issue', { token })
    const revoked = await call('POST /beak/cert/revoke', {
      token,
      body: { reason: 'My laptop "swam" away 🦆' },
    })
    expect(revoked.status).toBe(200)
    expect(revoked.body).toEqual({
      ...issued.body,
      status: 'revoked',
      revoked_at: expect.any(String),
      revocation_reason: 'My laptop "swam" away 🦆',
    })
    expect((await call('GET /beak/cert/view', { token })).body).toEqual(revoked.body)
    expect((await call('GET /beak/profile', { token })).body.cert_status).toBe('revoked')
    expect(await countedWith(issued.body.cert_id)).toBe(-1)
    const mails = (await sentTo(email)).filter(({ kind }) => kind === 'certificate_revoked')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(issued.body.cert_id)
    const event = await db().auditEvent.findFirst({ where: { ducklingId: id, action: 'cert.revoked' } })
    expect(event).toMatchObject({ outcome: 'success', metadata: { reason: 'My laptop "swam" away 🦆' } })
  })

  it('revokes once for 50 simultaneous calls', async () => {
    const { token } = await aDuckling()
    await call('POST /beak/cert/issue', { token })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /beak/cert/revoke', { token, body: { reason: 'race' } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
  })

  it('leaves no revoked certificate active during a simultaneous issue at a higher tier', async () => {
    const duckling = await aDuckling()
    await issueCertificate(await duckling.context())
    await db().duckling.update({ where: { id: duckling.id }, data: { trustTier: 'T2' } })
    const context = await duckling.context()
    const [issued] = await Promise.all([
      issueCertificate(context),
      transaction((tx) => revokeActiveCertificate(tx, context, duckling.id, 'account closed')),
    ])
    const all = await db().certificate.findMany({ where: { ducklingId: duckling.id } })
    const active = all.filter(({ status }) => status === 'active')
    // Either the newest certificate is revoked, or it was issued after the older one was revoked.
    expect(active.map(({ id }) => id)).toEqual(
      all.some(({ id, status }) => id === issued.cert_id && status === 'revoked') ? [] : [issued.cert_id],
    )
    expect(all.filter(({ status }) => status === 'revoked')).toHaveLength(1)
  })
})

describe('revoking: 400', () => {
  it.each([
    [{}, 'reason'],
    [{ reason: '  ' }, 'reason'],
    [{ reason: 'x'.repeat(281) }, 'reason'],
    [{ reason: 7 }, 'reason'],
    [{ reason: 'fine', cert_id: 'CERT-0' }, 'cert_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const { token } = await aDuckling()
    const answer = await call('POST /beak/cert/revoke', { token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field }])
  })
})

describe('404', () => {
  it('is returned to view and revoke before the first certificate, and the attempt is recorded', async () => {
    const { id, token } = await aDuckling()
    expect((await call('GET /beak/cert/view', { token })).body).toMatchObject({ status: 404, code: 'E4005' })
    const revoking = await call('POST /beak/cert/revoke', { token, body: { reason: 'none' } })
    expect(revoking.body).toMatchObject({ status: 404, code: 'E4005' })
    const event = await db().auditEvent.findFirst({ where: { ducklingId: id, action: 'cert.revoked' } })
    expect(event).toMatchObject({ outcome: 'denied' })
  })
})

describe('GET /beak/cert/list', () => {
  /** Issues and revokes as many certificates as asked for, and returns their ids, newest first. */
  async function certificatesOf(token: string, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      const { body } = await call('POST /beak/cert/issue', { token })
      ids.unshift(body.cert_id)
      await call('POST /beak/cert/revoke', { token, body: { reason: `Reason ${index}` } })
    }
    return ids
  }

  const idsIn = (body: { items: { cert_id: string }[] }) => body.items.map(({ cert_id }) => cert_id)

  describe('200', () => {
    it('lists the certificates of the caller and no others, newest first, page by page', async () => {
      const [owner, other] = [await aDuckling(), await aDuckling()]
      const ids = await certificatesOf(owner.token, 3)
      await certificatesOf(other.token, 1)
      const { status, body } = await call('GET /beak/cert/list?limit=2', { token: owner.token })
      expect(status).toBe(200)
      expect(idsIn(body)).toEqual(ids.slice(0, 2))
      expect(body.items[0]).toMatchObject({ status: 'revoked', revocation_reason: 'Reason 2' })
      const next = await call(`GET /beak/cert/list?limit=2&cursor=${body.next_cursor}`, {
        token: owner.token,
      })
      expect(idsIn(next.body)).toEqual(ids.slice(2))
      expect(next.body.next_cursor).toBeNull()
    })

    it('returns an empty list to an owner without certificates', async () => {
      const { token } = await aDuckling()
      expect((await call('GET /beak/cert/list', { token })).body).toEqual({ items: [], next_cursor: null })
    })
  })
})
