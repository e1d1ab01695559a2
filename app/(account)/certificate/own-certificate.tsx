import type { ResponseOf } from '@/app/beak/_api/lines'
import { Certificate } from '@/components/certificate'

/** The drawing of a certificate that the API has returned to its owner. */
export function OwnCertificate({ certificate }: { certificate: ResponseOf<'GET /beak/cert/view'> }) {
  return (
    <Certificate
      certId={certificate.cert_id}
      ducklingId={certificate.duckling_id}
      displayName={certificate.display_name}
      tier={certificate.tier}
      issuedAt={certificate.issued_at}
      status={certificate.status}
      revokedAt={certificate.revoked_at}
      verifyUrl={certificate.verify_url}
    />
  )
}
