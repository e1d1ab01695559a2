import { CircleAlert, KeyRound, LogIn } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { quotable } from '@/lib/kernel/text/quote'
import type { Alert } from './alerts'
import { ShowAll, shortened } from './show-all'

const icons = { bad: CircleAlert, warn: KeyRound, neutral: LogIn }
const inks = { bad: 'text-bad', warn: 'text-warn', neutral: 'text-soft' }

/** How many alerts the page shows, unless all are asked for. */
const shownAtFirst = 5

interface AlertListProps {
  alerts: Alert[]
  now: Date
  isAllShown: boolean
}

export function AlertList({ alerts, now, isAllShown }: AlertListProps) {
  if (alerts.length === 0) return null
  const few = shortened(alerts, shownAtFirst)
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts">{m.home_needs_attention()}</h2>
      <ul className="mt-3">
        {(isAllShown ? alerts : few).map((alert) => (
          <AlertItem key={alert.id} alert={alert} now={now} />
        ))}
      </ul>
      {few.length === alerts.length ? null : (
        <ShowAll isAllShown={isAllShown}>{m.home_show_all_count_alerts({ count: alerts.length })}</ShowAll>
      )}
    </section>
  )
}

function AlertItem({ alert: { tone, name, text, at, href, action }, now }: { alert: Alert; now: Date }) {
  return (
    <li className="flex gap-4 border-t border-line py-4 first:border-t-0">
      <Icon of={icons[tone]} size={20} className={`mt-0.5 shrink-0 ${inks[tone]}`} />
      <p className="min-w-0 text-sm wrap-anywhere">
        {name === undefined ? null : (
          <bdi translate="no" className="font-semibold">
            “{quotable(name)}”
          </bdi>
        )}
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
