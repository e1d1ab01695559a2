import { PhoneOffer } from '@/app/_shell/phone/phone-offer'
import { Duck } from '@/components/duck'
import { m } from '@/lib/kernel/messages'

export function EmptyInbox({ ducklingId }: { ducklingId: string }) {
  return (
    <div className="grid justify-items-center py-14 text-center">
      <Duck id={ducklingId} size={96} />
      <h2 className="mt-6">{m.inbox_youre_all_caught_up()}</h2>
      <p className="mt-2 max-w-md text-soft">{m.inbox_new_requests_from_people_their_agents()}</p>
      <PhoneOffer />
    </div>
  )
}
