import { Sentence } from '@/components/sentence'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { VerifyField } from '../verify-field'
import { RequestedNumber } from './requested-number'

/** Answers for unknown and malformed certificate numbers, with status 404. */
export default function NoSuchCertificate() {
  return (
    <div className="mx-auto grid max-w-4xl gap-10">
      <Verdict kind="no" title={m.verify_there_is_no_such_certificate()}>
        <p>
          <Sentence
            of={m.verify_certificate_not_found_body}
            parts={{ requestedNumber: () => <RequestedNumber /> }}
          />
        </p>
      </Verdict>
      <VerifyField />
    </div>
  )
}
