import { SquareTerminal } from 'lucide'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { endSessions } from './actions'

type Device = ResponseOf<'GET /beak/session/list'>['approved_devices'][number]

/** The devices that the person approved and that have not signed in yet. Shows nothing without one. */
export function ApprovedDevices({ devices, now }: { devices: Device[]; now: Date }) {
  if (devices.length === 0) return null
  return (
    <section aria-labelledby="approved-devices" className="mb-8">
      <h3 id="approved-devices" className="text-base">
        {m.security_approved_not_signed_in_yet()}
      </h3>
      <ul className="divide-y divide-line border-b border-line">
        {devices.map(({ device_request_id: id, client_name: name, ip, expires_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-5 gap-y-3 py-4">
            <Icon of={SquareTerminal} size={20} className="shrink-0 text-soft" />
            <div className="min-w-0 flex-1 basis-48">
              <h4 className="text-base wrap-anywhere">“{name}”</h4>
              <p className="text-sm text-soft wrap-anywhere">
                <Sentence
                  of={ip ? m.security_can_sign_in_until_from : m.security_can_sign_in_until}
                  with={{ ip: ip ?? '' }}
                  parts={{ time: () => <Time at={expires_at} now={now} /> }}
                />
              </p>
            </div>
            <AnnouncedForm action={endSessions}>
              <input type="hidden" name="device_request_id" value={id} />
              <SubmitButton kind="plain">
                <Sentence
                  of={m.security_take_back_approval_name}
                  with={{ name }}
                  parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
                />
              </SubmitButton>
            </AnnouncedForm>
          </li>
        ))}
      </ul>
    </section>
  )
}
