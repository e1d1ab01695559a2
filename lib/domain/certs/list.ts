import { db } from '@/lib/db/client'
import type { OperatorContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { type CertificateInput, presentCertificate } from './schema'

/** Returns a page of the caller's certificates, newest first. An agent reads those of its operator. */
export async function listCertificates(
  { caller }: OperatorContext,
  page: PageRequest,
): Promise<Page<CertificateInput>> {
  const rows = await db().certificate.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    include: { duckling: { select: { displayName: true, fullName: true } } },
  })
  return pageOf(
    rows,
    page,
    (row) => row.id,
    (row) => presentCertificate(row, row.duckling),
  )
}
