import { Verdict } from '@/components/verdict'
import { VerifyForm } from '../verify-form'
import { Asked } from './asked'

/** For a number that nothing was issued under, and for what is no number: a plain no, with status 404. */
export default function NoSuchCertificate() {
  return (
    <div className="mx-auto grid max-w-4xl gap-10">
      <Verdict kind="no" title="There is no such certificate.">
        <p>
          We never issued one under <Asked />. Whoever shows it has mistyped it, or made it up: do not rely on
          it.
        </p>
      </Verdict>
      <VerifyForm />
    </div>
  )
}
