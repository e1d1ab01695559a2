import { Fingerprint } from 'lucide'
import { Rosette } from '@/components/security-lines'
import { Icon } from '@/components/ui/icon'

const events = ['asked', 'approved', 'used']

/** Draws the evidence of an approval: events in a chain, and the digest of its end in a public log. */
export function Evidence() {
  return (
    <div className="grid items-center gap-6 rounded-card border border-line bg-surface p-5 sm:grid-cols-[minmax(0,1fr)_11rem] sm:p-7">
      <ol className="grid gap-0">
        {events.map((event, index) => (
          <li key={event} className="flex items-stretch gap-4">
            <div className="grid w-8 grid-rows-[1fr_auto_1fr] justify-items-center">
              <span className={`w-0.5 ${index === 0 ? '' : 'bg-pond'}`} />
              <span className="grid size-8 place-items-center rounded-full border-2 border-pond bg-pond-wash text-xs font-bold">
                {index + 1}
              </span>
              <span className={`w-0.5 ${index === events.length - 1 ? '' : 'bg-pond'}`} />
            </div>
            <div className="my-1.5 grow rounded-control border border-line bg-sunken px-3 py-2 text-sm">
              <strong>{event}</strong>
              <br />
              <span className="font-mono text-xs text-soft">hash of this event and of the one before</span>
            </div>
          </li>
        ))}
      </ol>
      <div className="grid justify-items-center gap-3 text-center text-sm">
        <div className="relative grid size-36 place-items-center">
          <Rosette
            id="LOG-CHECKPOINT"
            strokeWidth={0.8}
            opacity={0.8}
            className="absolute inset-0 size-full text-pond"
          />
          <span className="grid size-16 place-items-center rounded-full bg-surface">
            <Icon of={Fingerprint} size={34} strokeWidth={1.5} />
          </span>
        </div>
        <span>
          <strong>Public log:</strong> signed, only ever longer
        </span>
      </div>
    </div>
  )
}
