import type { ResponseOf } from '@/app/beak/_api/lines'
import { Certificate } from '@/components/certificate'

/** The drawing of a certificate that the API has returned to its owner. */
export function OwnCertificate({
  certificate,
  handle,
}: {
  certificate: ResponseOf<'GET /beak/cert/view'>
  /** The present handle of the owner. */
  handle?: string | null
}) {
  return (
    <Certificate
      certId={certificate.cert_id}
      ducklingId={certificate.duckling_id}
      name={certificate.issued_name}
      handle={handle}
      tier={certificate.tier}
      issuedAt={certificate.issued_at}
      status={certificate.status}
      revokedAt={certificate.revoked_at}
      verifyUrl={certificate.verify_url}
    />
  )
}
