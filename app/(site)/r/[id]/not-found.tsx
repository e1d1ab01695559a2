import { ButtonLink } from '@/components/ui/button'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'

/** Shown for a link of a receipt that nobody shares, or no longer. */
export default function NoSuchReceipt() {
  return (
    <div className="mx-auto grid max-w-4xl gap-8">
      <Verdict kind="unsure" title={m.r_there_is_no_receipt_here()}>
        <p>{m.r_not_found_body()}</p>
      </Verdict>
      <div>
        <ButtonLink href="/receipts">{m.r_check_a_receipt_file()}</ButtonLink>
      </div>
    </div>
  )
}
