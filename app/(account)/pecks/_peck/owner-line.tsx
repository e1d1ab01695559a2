import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Owner, ownerFacts } from './owner-words'

/** The facts beside the name of another person, in one calm line: "@teal · T1 · since 2025-11". */
export function OwnerLine({ owner, now }: { owner: Owner; now: number }) {
  return (
    <span data-owner translate="no" className="tabular-nums">
      {ownerFacts(owner, now).join(' · ')}
    </span>
  )
}

/** Marks the request of an asker of whom nothing was approved. It is new and no danger, so it has no colour. */
export function FirstContact() {
  return (
    <span title={m.requests_first_contact_help()} className="inline-flex">
      <Pill>{m.requests_first_contact()}</Pill>
    </span>
  )
}
