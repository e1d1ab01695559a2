/**
 * Logs the packages of the clients that this service hands out. A host that gives somebody another package can be found out: the log, the
 * release notes and a build from the sources must all have the same digest.
 */
import { clientPackageDigest } from '@beak/client/verify/log/entry'
import type { ClientPackage } from '@/lib/kernel/client-packages'
import { enqueueOnce } from './enqueue-once'

/** Enqueues an entry for each package, once. */
export async function enqueueClientPackages(files: ClientPackage[]): Promise<void> {
  for (const file of files) await enqueueOnce('client_package', clientPackageDigest(file))
}
