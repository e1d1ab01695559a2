import { randomBytes } from 'node:crypto'
import { clientPackageDigest, entryText } from '@beak/client/verify/log/entry'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { appendNow, faultsOfLog } from '@/lib/fixtures/tlog'
import type { ClientPackage } from '@/lib/kernel/client-packages'
import { enqueueClientPackages } from './enqueue-client-packages'

const aPackage = (name = 'beak-client-9.9.9.tgz'): ClientPackage => ({
  name,
  kind: 'typescript',
  sha256: randomBytes(32).toString('hex'),
  size: 1,
})

/** Returns the texts of the entries of some packages, after everything that is pending was logged. */
async function loggedPackages(...files: ClientPackage[]): Promise<string[]> {
  await appendNow()
  const entries = await db().logEntry.findMany({
    where: { kind: 'client_package', subjectId: { in: files.map(clientPackageDigest) } },
    orderBy: { index: 'asc' },
  })
  return entries.map(({ data }) => String(Buffer.from(data)))
}

describe('enqueueClientPackages', () => {
  it('logs each package once when many instances start at the same time, and not again after a restart', async () => {
    const files = [aPackage(), aPackage('beak_client-9.9.9-py3-none-any.whl')]
    const together = () => Promise.all(Array.from({ length: 20 }, () => enqueueClientPackages(files)))
    await together()
    const expected = files.map((file) => entryText('client_package', clientPackageDigest(file)))
    expect((await loggedPackages(...files)).sort()).toEqual(expected.sort())
    await together()
    expect(await loggedPackages(...files)).toHaveLength(2)
    expect(await faultsOfLog()).toEqual([])
  })

  it('logs another file of the same name, so a host cannot swap a package without a trace', async () => {
    const [shown, swapped] = [aPackage(), aPackage()]
    await enqueueClientPackages([shown])
    await enqueueClientPackages([swapped])
    expect(await loggedPackages(shown, swapped)).toHaveLength(2)
  })

  it('has a digest that covers the name and the bytes of the package', () => {
    const file = aPackage()
    const digests = [file, { ...file, name: 'beak-dev-9.9.9.tgz' }, { ...file, sha256: 'ab'.repeat(32) }].map(
      clientPackageDigest,
    )
    expect(new Set(digests).size).toBe(3)
  })
})
