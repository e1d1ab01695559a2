import { db } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { type CertificateInput, presentCertificate } from './schema'

/** Returns the newest certificate of the caller, or of the agent's operator, with any status. Throws `certificate_not_found`. */
export async function viewCertificate(
  context: OperatorContext<'certificate_not_found'>,
): Promise<CertificateInput> {
  const found = await db().certificate.findFirst({
    where: { ducklingId: context.caller.id },
    orderBy: { id: 'desc' },
    include: { duckling: { select: { displayName: true, fullName: true } } },
  })
  if (!found) throw context.fail('certificate_not_found')
  return presentCertificate(found, found.duckling)
}
