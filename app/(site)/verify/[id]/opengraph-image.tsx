import { ImageResponse } from 'next/og'
import { checkCertificate, type Verification } from '@/app/_web/certificate-check'
import {
  shareColours as colours,
  drawableName,
  ShareSeal,
  ShareSheet,
  shareFonts,
  shareSize,
} from '@/components/share-sheet'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { decodeCredential } from './credential'

export const alt = 'A Beak certificate. Open the page to check it.'
export const size = shareSize
export const contentType = 'image/png'

interface ImageProps {
  params: Promise<{ id: string }>
}

/**
 * The share image of a certificate. Other sites keep it for days, so it never says "valid". It may say that the certificate was
 * revoked or superseded, because that stays true.
 */
export default async function ShareImage({ params }: ImageProps): Promise<ImageResponse> {
  const { id } = await params
  const check = await checkCertificate(id)
  const ended = 'certificate' in check && check.state !== 'valid' ? check.state : null
  const picture =
    'certificate' in check ? (
      <CertificateText certificate={check.certificate} ended={ended} />
    ) : (
      <NoCertificateText
        title={check.state === 'unchecked' ? m.verify_not_checked() : m.verify_no_such_certificate()}
      />
    )
  return new ImageResponse(
    <ShareSheet>
      {'certificate' in check ? <Seal certificate={check.certificate} isEnded={ended !== null} /> : null}
      {picture}
    </ShareSheet>,
    {
      ...size,
      status: 'certificate' in check ? 200 : check.state === 'unchecked' ? 503 : 404,
      headers: { 'Cache-Control': 'max-age=0, must-revalidate' },
      fonts: await shareFonts(),
    },
  )
}

/** The rosette of the certificate, with its duck inside. */
function Seal({ certificate, isEnded }: { certificate: Verification; isEnded: boolean }) {
  const { ducklingId } = decodeCredential(certificate.credential)
  const ink = isEnded ? colours.soft : colours.accent
  return <ShareSeal text={certificate.cert_id} duckId={ducklingId} ink={ink} isPale={isEnded} />
}

interface CertificateTextProps {
  certificate: Verification
  ended: 'revoked' | 'superseded' | null
}

function CertificateText({ certificate, ended }: CertificateTextProps) {
  const { issued_name: issued, display_name, tier, cert_id: id } = certificate
  const { displayName } = decodeCredential(certificate.credential)
  // A closed account shows no name of its credential.
  const name = issued === display_name ? issued : drawableName(issued, displayName)
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 34, fontWeight: 500, color: ended === null ? colours.soft : colours.bad }}>
        {ended === null
          ? m.verify_birth_certificate_of()
          : ended === 'revoked'
            ? m.verify_revoked_birth_certificate_of()
            : m.verify_superseded_birth_certificate_of()}
      </div>
      <div style={{ fontSize: nameSize(name), fontWeight: 700, letterSpacing: -3, lineHeight: 1.1 }}>
        {name}
      </div>
      <div style={{ fontSize: 34, fontWeight: 500, marginTop: 26 }}>
        {ended === null
          ? m.verify_issued_confirmed_open({ tier: tierWords(tier) })
          : m.verify_dont_rely_on_it()}
      </div>
      <div style={{ fontSize: 24, fontWeight: 500, color: colours.soft, marginTop: 14 }}>
        {`${config().baseUrl.replace(/^https?:\/\//, '')}/verify/${id}`}
      </div>
    </div>
  )
}

/** Names have up to 40 characters. Short names fit beside the seal, long ones below it, all on one line. */
const nameSize = (name: string) => (name.length <= 8 ? 132 : name.length <= 12 ? 92 : 54)

function NoCertificateText({ title }: { title: string }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 92, fontWeight: 700, letterSpacing: -2 }}>{title}</div>
      <div style={{ fontSize: 34, fontWeight: 500, color: colours.soft, marginTop: 20 }}>
        {m.verify_dont_rely_on_it()}
      </div>
    </div>
  )
}
