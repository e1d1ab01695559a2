import { ImageResponse } from 'next/og'
import { checkCertificate, type Verification } from '@/app/_web/certificate-check'
import { Duck } from '@/components/duck'
import { rosette } from '@/components/guilloche'
import { shareColours as colours, ShareSheet, shareFonts, shareSize } from '@/components/share-sheet'
import { config } from '@/lib/kernel/config'
import { decodeCredential } from './credential'

export const alt = 'A Beak birth certificate: open the page to see whether it holds now'
export const size = shareSize
export const contentType = 'image/png'

interface ImageProps {
  params: Promise<{ id: string }>
}

/**
 * What a shared link to a certificate shows. Whoever shares it keeps this picture for days, so it never says "valid", only whose
 * certificate it is and where to look; that one has ended it may say, for that stays true.
 */
export default async function ShareImage({ params }: ImageProps): Promise<ImageResponse> {
  const { id } = await params
  const check = await checkCertificate(id)
  const ended = 'certificate' in check && check.state !== 'valid' ? check.state : null
  const picture =
    'certificate' in check ? (
      <Held certificate={check.certificate} ended={ended} />
    ) : (
      <Nothing title={check.state === 'unchecked' ? 'Not checked just now' : 'No such certificate'} />
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

/** The rosette of the certificate, its duck within. */
function Seal({ certificate, isEnded }: { certificate: Verification; isEnded: boolean }) {
  const { ducklingId } = decodeCredential(certificate.credential)
  return (
    <div style={{ position: 'absolute', right: 56, top: 36, width: 372, height: 372, display: 'flex' }}>
      <svg viewBox="-100 -100 200 200" width="372" height="372" aria-hidden="true">
        {rosette(certificate.cert_id, 98).map((line) => (
          <path
            key={line}
            d={line}
            fill="none"
            stroke={isEnded ? colours.soft : colours.accent}
            strokeWidth="0.6"
            opacity="0.65"
          />
        ))}
      </svg>
      <div style={{ position: 'absolute', left: 98, top: 98, display: 'flex', opacity: isEnded ? 0.4 : 1 }}>
        <Duck id={ducklingId} size={176} />
      </div>
    </div>
  )
}

function Held({ certificate, ended }: { certificate: Verification; ended: 'revoked' | 'superseded' | null }) {
  const { display_name: name, tier, cert_id: id } = certificate
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 34, fontWeight: 500, color: ended === null ? colours.soft : colours.bad }}>
        {ended === null ? 'Birth certificate of' : `Birth certificate, ${ended}, of`}
      </div>
      <div style={{ fontSize: nameSize(name), fontWeight: 700, letterSpacing: -3, lineHeight: 1.1 }}>
        {name}
      </div>
      <div style={{ fontSize: 34, fontWeight: 500, marginTop: 26 }}>
        {ended === null
          ? `Issued at trust tier ${tier}. Open it to see whether it holds now.`
          : 'It holds no longer.'}
      </div>
      <div style={{ fontSize: 24, fontWeight: 500, color: colours.soft, marginTop: 14 }}>
        {`${config().baseUrl.replace(/^https?:\/\//, '')}/verify/${id}`}
      </div>
    </div>
  )
}

/** Names have up to 32 characters: the short stand beside the seal, the long below it, all on one line. */
const nameSize = (name: string) => (name.length <= 8 ? 132 : name.length <= 12 ? 92 : 54)

function Nothing({ title }: { title: string }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 92, fontWeight: 700, letterSpacing: -2 }}>{title}</div>
      <div style={{ fontSize: 34, fontWeight: 500, color: colours.soft, marginTop: 20 }}>
        Do not rely on it.
      </div>
    </div>
  )
}
