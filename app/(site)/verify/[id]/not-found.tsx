import { Verdict } from '@/components/verdict'
import { VerifyField } from '../verify-field'
import { RequestedNumber } from './requested-number'

/** Answers for unknown and malformed certificate numbers, with status 404. */
export default function NoSuchCertificate() {
  return (
    <div className="mx-auto grid max-w-4xl gap-10">
      <Verdict kind="no" title="There is no such certificate.">
        <p>
          We never issued a certificate with the number <RequestedNumber />. It is mistyped or made up, so
          don't rely on it.
        </p>
      </Verdict>
      <VerifyField />
    </div>
  )
}
