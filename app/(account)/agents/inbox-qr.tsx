import { QrCode } from '@/components/qr-code'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'

/** The inbox as a QR code, to go on with a phone. The address holds no secret: the phone signs in by itself. */
export function InboxQr() {
  return <QrCode text={`${config().baseUrl}/pecks`} label={m.agents_test_qr()} size={112} />
}
