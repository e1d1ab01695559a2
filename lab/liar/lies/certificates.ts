/** A revoked certificate that is active again. */
import { verifyCertificate } from '@beak/client/verify'
import { aPerson } from '@/e2e/people'
import { eventually } from '@/e2e/server'
import { db } from '@/lib/db/client'
import type { Evidence, Lie } from '../evidence'
import { agree } from '../judges/copies'
import { call } from '../people/decide'
import type { World } from '../people/world'
import { beak } from '../shops/command-line'

async function revivedCertificate(world: World): Promise<Evidence> {
  const { host, python } = world
  const { url, jwks } = host
  const { token, id } = await aPerson(host.server, 'Zoe')
  const { credential, cert_id: certId } = await call(world, 'POST /beak/cert/issue', { token })
  await call(world, 'POST /beak/cert/revoke', { token, body: { reason: 'I lost my laptop' } })
  const options = { issuer: url, keys: jwks }
  const check = (statusList: string) => verifyCertificate(credential, { ...options, statusList })
  const read = async () => (await fetch(`${url}/.well-known/status-list/0`)).text()
  // The service makes a list at most every five seconds.
  const listThat = (isValid: boolean) =>
    eventually(async () => {
      const list = await read()
      return (await check(list)).ok === isValid ? list : null
    }, 20)
  const before = await listThat(false)
  await db().certificate.update({
    where: { id: certId },
    data: { status: 'active', revokedAt: null, revocationReason: null, activeFor: id },
  })
  const after = await listThat(true)
  return {
    isBelieved: async () =>
      agree('the certificate', {
        typescript: (await check(after)).ok,
        python: await python.run('certificate', { url, jwks, credential, status_list: after }),
        'command line': await beak('cert', 'verify', credential, '--url', url),
      }),
    hasContradiction: async () => {
      const [first, second] = await Promise.all([check(before), check(after)])
      return !first.ok && first.fault.reason === 'revoked' && second.ok
    },
  }
}

export const certificateLies: Lie[] = [
  {
    forged: 'A certificate that was revoked, and that is active again',
    access: 'database, key of the service',
    play: revivedCertificate,
    isSameEverywhere: true,
  },
]
