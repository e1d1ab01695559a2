import type { Reader } from '@/app/_web/event-sentence'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import { knownDevice } from '@/lib/kernel/request/device'
import type { AuditEvent } from './event-sentence'

interface OtherDeviceProps {
  event: AuditEvent
  reader: Reader
  /** The User-Agent of this browser. */
  userAgent: string | null
}

/** Where the reader did it, unless a browser like this one did. The log may not say where. */
export function OtherDevice({ event: { actor, context }, reader, userAgent }: OtherDeviceProps) {
  if (actor.id !== reader.id || context.user_agent === null) return null
  const device = knownDevice(context.user_agent)
  if (device === knownDevice(userAgent)) return null
  return (
    <span className="mt-0.5 block text-sm text-soft">
      {device === null ? (
        m.audit_from_unknown_device()
      ) : (
        <Sentence of={m.audit_from_device} with={{ device }} />
      )}
    </span>
  )
}
