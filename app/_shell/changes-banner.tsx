import { quoted } from '@beak/decision/quote'
import { Info, TriangleAlert } from 'lucide'
import type { RecentChange } from '@/app/_web/changes'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { LiveDistance } from '@/components/ui/live-distance'
import { chosenZone } from '@/components/ui/zone'
import { changeSentence } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
import { deviceWords } from '@/lib/kernel/request/device'
import { readClock } from '@/lib/kernel/runtime/clock'
import { kept } from '@/lib/kernel/text/kept-values'
import { answerChanges } from './actions'

/** Returns which device a session is, in words. */
export const sessionDevice = (session: RecentChange['session']): string =>
  session?.name ?? deviceWords(session?.user_agent ?? null)

/**
 * A line on every page for an hour after another session changed something. It asks once whether that was the viewer. In the first day of an account
 * it only tells. `changes`: the most important one first.
 */
export async function ChangesBanner({ changes }: { changes: RecentChange[] }) {
  const [first, ...others] = changes
  if (first === undefined) return null
  const [zone, serverNow] = [await chosenZone(), readClock().getTime()]
  const isCalm = changes.every(({ first_day }) => first_day)
  const until = changes
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return (
    <section
      aria-label={m.shell_changes_of_your_account()}
      className={`no-print border-b border-line ${isCalm ? 'bg-sunken' : 'bg-warn-wash'}`}
    >
      <form
        action={answerChanges}
        className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-2 px-5 py-2"
      >
        <input type="hidden" name="until" value={until} />
        <p className="flex min-w-0 flex-1 basis-64 gap-3 text-sm">
          <Icon
            of={isCalm ? Info : TriangleAlert}
            size={20}
            className={`mt-0.5 shrink-0 ${isCalm ? 'text-soft' : 'text-warn'}`}
          />
          <span className="min-w-0 wrap-anywhere">
            <bdi translate="yes" className={isCalm ? undefined : 'font-semibold'}>
              <KeptText text={changeSentence(first.change, first.name, (text) => kept(quoted(text)))} />
            </bdi>{' '}
            <Sentence
              of={isCalm ? m.shell_changes_banner_text : m.shell_another_session_was_this_you}
              with={{ device: sessionDevice(first.session) }}
              parts={{
                time: () => <LiveDistance at={first.at} serverNow={serverNow} zone={zone} />,
              }}
            />{' '}
            {others.length === 0 ? null : (
              <Link href="/security/changes" className="underline">
                {m.shell_more_changes({ count: others.length })}
              </Link>
            )}
          </span>
        </p>
        <Answers isCalm={isCalm} />
      </form>
    </section>
  )
}

function Answers({ isCalm }: { isCalm: boolean }) {
  return (
    <span className="flex gap-2">
      <button type="submit" className={buttonClass('plain')}>
        {isCalm ? m.shell_changes_close() : m.shell_changes_yes()}
      </button>
      <button type="submit" name="no" value="no" className={buttonClass(isCalm ? 'quiet' : 'plain')}>
        {isCalm ? m.shell_changes_not_me() : m.shell_changes_no()}
      </button>
    </span>
  )
}
