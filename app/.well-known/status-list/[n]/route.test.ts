import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { signCertificate, statusListLength } from '@/lib/domain/certs/credential'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import { getStatusList } from '@/lib/domain/certs/status-list'
import { aDuckling, anonymously } from '@/lib/factories/ducklings'
import { isSet } from '@/lib/fixtures/offline-verifier'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'

const encodedList = (list: string) =>
  (decodeJwt(list).credentialSubject as Record<string, string>).encodedList ?? ''
const placeOf = (credential: string) => {
  const { statusListIndex, statusListCredential = '' } = decodeJwt(credential).credentialStatus as Record<
    string,
    string
  >
  return { list: Number(statusListCredential.split('/').at(-1)), bit: Number(statusListIndex) }
}
const listAt = (list: number, seconds: number) =>
  getStatusList({ ...anonymously(), now: secondsAfter(readClock(), seconds) }, list)

let listsUsed = 0

/** Makes a certificate with a very high index, so that it is alone on its list. */
async function aCertificateOnItsOwnList(status: 'active' | 'revoked') {
  const { id: ducklingId, displayName } = await aDuckling()
  const list = 1_000 + ++listsUsed
  const issuedAt = readClock()
  const certificate = {
    id: newId('certificate', issuedAt),
    ducklingId,
    tier: 'T1' as const,
    issuedAt,
    statusIndex: list * statusListLength + 77,
  }
  const credential = signCertificate({ ...certificate, displayName, fullName: null })
  await db().certificate.create({ data: { ...certificate, status, credential } })
  return { list, credential }
}

describe('200', () => {
  it('returns a signed status list credential that can be cached for its ttl', async () => {
    const response = await callRaw('GET /.well-known/status-list/0')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/vc+jwt')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const list = await response.text()
    expect(decodeProtectedHeader(list)).toEqual({ alg: 'EdDSA', typ: 'vc+jwt', kid: expect.any(String) })
    expect(decodeJwt(list)).toMatchObject({
      iss: 'http://localhost:3000',
      issuer: 'http://localhost:3000',
      id: 'http://localhost:3000/.well-known/status-list/0',
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      credentialSubject: {
        id: 'http://localhost:3000/.well-known/status-list/0#list',
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: expect.stringMatching(/^u[\w-]+$/),
        ttl: 5000,
      },
    })
    const slash = await callRaw('GET /.well-known/status-list/0/')
    expect(await slash.text()).toBe(list)
  })

  it('sets only the bits of revoked and superseded certificates', async () => {
    const [active, revoked, superseded] = [await aDuckling(), await aDuckling(), await aDuckling()]
    const places = []
    for (const duckling of [active, revoked, superseded])
      places.push(placeOf((await issueCertificate(await duckling.context())).credential))
    await revokeCertificate(await revoked.context(), 'lost')
    await db().duckling.update({ where: { id: superseded.id }, data: { trustTier: 'T2' } })
    await issueCertificate(await superseded.context())
    const bits = []
    for (const { list, bit } of places) bits.push(isSet(encodedList(await listAt(list, 6)), bit))
    expect(bits).toEqual([false, true, true])
  })

  it('is built at most once in five seconds', async () => {
    const { list } = await aCertificateOnItsOwnList('active')
    const first = await Promise.all([listAt(list, 0), listAt(list, 1), listAt(list, 4)])
    expect(new Set(first).size).toBe(1)
    expect(await listAt(list, 6)).not.toBe(first[0])
  })

  it('has a separate list for every 131,072 certificates', async () => {
    const { list, credential } = await aCertificateOnItsOwnList('revoked')
    expect(placeOf(credential)).toEqual({ list, bit: 77 })
    const response = await callRaw(`GET /.well-known/status-list/${list}`)
    expect(isSet(encodedList(await response.text()), 77)).toBe(true)
  })
})

describe('404', () => {
  it.each(['999', '16383', '16384', '99999', '-1', '00', '1.0', 'x', '0x0', '99999999999999999999', '%30'])(
    'returns 404 for list %s',
    async (name) => {
      const response = await callRaw(`GET /.well-known/status-list/${name}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'E4005', success: false })
    },
  )

  it('finds a list that was created after a first 404', async () => {
    const { list } = await aCertificateOnItsOwnList('active')
    expect((await callRaw(`GET /.well-known/status-list/${list + 1}`)).status).toBe(404)
    expect((await callRaw(`GET /.well-known/status-list/${list}`)).status).toBe(200)
  })
})
