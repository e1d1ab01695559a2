import { m } from '@/lib/kernel/messages'
import type { Delivery } from './read'
import { statusLabels } from './words'

const shapes = {
  delivered: { height: 20, className: 'fill-good' },
  pending: { height: 12, className: 'fill-surface stroke-edge' },
  failed: { height: 7, className: 'fill-bad' },
}

const maxBars = 24
const step = 9

/**
 * The latest deliveries as bars, oldest first: tall when delivered, hollow while waiting, short when failed. The counts below say the
 * same in words.
 */
export function DeliveryBars({ deliveries }: { deliveries: Delivery[] }) {
  const shown = deliveries.slice(0, maxBars).toReversed()
  if (shown.length === 0) return <p className="text-sm text-soft">{m.webhooks_bars_empty()}</p>
  const count = (status: Delivery['status']) => shown.filter((delivery) => delivery.status === status).length
  const summary = (['delivered', 'pending', 'failed'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => statusLabels[status].counted({ count: count(status) }))
  return (
    <div>
      <svg
        viewBox={`0 0 ${maxBars * step} 22`}
        role="img"
        aria-label={m.webhooks_latest_deliveries_summary({ summary: summary.join(', ') })}
        className="block h-6 w-full max-w-54"
        preserveAspectRatio="xMinYMax"
      >
        <path d={`M0 21.5H${maxBars * step}`} className="stroke-line" />
        {shown.map(({ delivery_id, status, type, created_at }, index) => (
          <rect
            key={delivery_id}
            x={index * step + 0.5}
            y={21 - shapes[status].height}
            width={step - 3}
            height={shapes[status].height}
            rx="1.5"
            className={shapes[status].className}
          >
            <title>{statusLabels[status].at({ type, time: created_at })}</title>
          </rect>
        ))}
      </svg>
      <p className="mt-1.5 text-sm text-soft tabular-nums">{summary.join(', ')}</p>
    </div>
  )
}
