import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { changeBuilder } from './actions'

const links = [
  { href: '/webhooks', label: m.pages_webhooks },
  { href: '/sites', label: m.pages_sites },
  { href: '/security#approver', label: m.security_approver },
  { href: '/docs/api', label: m.docs_api_reference },
  { href: '/clients', label: m.shell_clients },
  { href: '/docs/errors', label: m.shell_error_codes },
  { href: '/numbers', label: m.shell_numbers },
]

/** What the switch "I build or host" shows, and where its parts are while it is on. */
export function BuilderWords({ isOn }: { isOn: boolean }) {
  if (!isOn) return m.you_builder_off()
  return (
    <>
      {m.you_builder_on()}
      <ul aria-label={m.you_for_builders()} className="mt-1 flex flex-wrap gap-x-5">
        {links.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} className="inline-flex min-h-8 items-center text-ink underline">
              {label()}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

export function BuilderSwitch({ isOn }: { isOn: boolean }) {
  return (
    <ActionForm action={changeBuilder} label={m.you_builder()}>
      <input type="hidden" name="builder" value={isOn ? 'off' : 'on'} />
      <SubmitButton kind="plain">{isOn ? m.you_turn_off() : m.you_turn_on()}</SubmitButton>
    </ActionForm>
  )
}
