import { ButtonLink } from '@/components/ui/button'
import { Verdict } from '@/components/verdict'

/** Shown for a link of a receipt that nobody shares, or no longer. */
export default function NoSuchReceipt() {
  return (
    <div className="mx-auto grid max-w-4xl gap-8">
      <Verdict kind="unsure" title="There is no receipt here.">
        <p>The link is incomplete, or the receipt is no longer shared. Ask for a new link.</p>
      </Verdict>
      <div>
        <ButtonLink href="/receipts">Check a receipt file</ButtonLink>
      </div>
    </div>
  )
}
