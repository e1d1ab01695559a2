import { PhoneOffer } from '@/app/_shell/phone/phone-offer'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

/** `isInbox`: the page shows no further list. */
export function EmptyInbox({ ducklingId, isInbox }: { ducklingId: string; isInbox: boolean }) {
  if (!isInbox) return <p className="py-14 text-center font-semibold">{m.inbox_list_is_empty()}</p>
  return (
    <div className="grid justify-items-center py-14 text-center">
      <Duck id={ducklingId} size={96} />
      <h2 className="mt-6">{m.inbox_youre_all_caught_up()}</h2>
      <p className="mt-2 max-w-md text-soft">{m.inbox_empty_hint()}</p>
      <PhoneOffer />
    </div>
  )
}

const lists = {
  strangers: {
    get label() {
      return m.inbox_more_of_strangers()
    },
    get explanation() {
      return m.inbox_strangers_list_hint()
    },
  },
  snoozed: {
    get label() {
      return m.inbox_later()
    },
    get explanation() {
      return m.inbox_later_list_hint()
    },
  },
}

interface ListLinkProps {
  list: keyof typeof lists
  /** How many requests the list has. */
  count: number
  /** Whether this page shows the list. */
  isHere: boolean
}

/** Leads to another list of waiting requests, and back: those of strangers beyond their budget, and those that the viewer answers later. */
export function ListLink({ list, count, isHere }: ListLinkProps) {
  if (count === 0 && !isHere) return null
  const { label, explanation } = lists[list]
  return (
    <p className="text-sm text-soft max-lg:order-3 max-lg:basis-full lg:max-xl:mt-2">
      {isHere ? explanation : null}
      <Link
        href={isHere ? '/pecks' : `/pecks?list=${list}`}
        className="inline-flex min-h-6 items-center underline decoration-line hover:decoration-ink"
      >
        {isHere ? m.inbox_back_to_the_inbox() : `${label}: ${count.toLocaleString(readersLocale())}`}
      </Link>
    </p>
  )
}
