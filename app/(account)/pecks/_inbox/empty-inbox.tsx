import { Duck } from '@/components/duck'

export function EmptyInbox({ ducklingId }: { ducklingId: string }) {
  return (
    <div className="grid justify-items-center py-14 text-center">
      <Duck id={ducklingId} size={96} />
      <h2 className="mt-6">You're all caught up</h2>
      <p className="mt-2 max-w-md text-soft">
        New requests from people and their agents appear here automatically.
      </p>
    </div>
  )
}
