import { CircleAlert, KeyRound, LogIn } from 'lucide-react'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { quotable } from '@/lib/kernel/text/quote'
import type { Alert } from './alerts'

const icons = { bad: CircleAlert, warn: KeyRound, neutral: LogIn }
const inks = { bad: 'text-bad', warn: 'text-warn', neutral: 'text-soft' }

export function AlertList({ alerts, now }: { alerts: Alert[]; now: Date }) {
  if (alerts.length === 0) return null
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">{m.home_needs_attention()}</h2>
      <ul className="mt-3">
        {alerts.map((alert) => (
          <AlertItem key={alert.id} alert={alert} now={now} />
        ))}
      </ul>
    </section>
  )
}

function AlertItem({ alert: { tone, name, text, at, href, action }, now }: { alert: Alert; now: Date }) {
  const Icon = icons[tone]
  return (
    <li className="flex gap-4 border-t border-line py-4 first:border-t-0">
      <Icon aria-hidden="true" size={20} className={`mt-0.5 shrink-0 ${inks[tone]}`} />
      <p className="min-w-0 text-sm wrap-anywhere">
        {name === undefined ? null : <bdi className="font-semibold">“{quotable(name)}”</bdi>}
        {text}
        {at === null ? null : (
          <>
            {' '}
            <Time at={at} now={now} />.
          </>
        )}{' '}
        <Link href={href} className="underline">
          {action}
        </Link>
      </p>
    </li>
  )
}
