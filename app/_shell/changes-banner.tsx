import { quotedName } from '@beak/decision/quote'
import { Info, TriangleAlert } from 'lucide'
import type { ReactNode } from 'react'
import { atBeginning, changeOnPages, changeWords } from '@/app/_web/change-words'
import { type AskedChanges, bySession, countChanges, type RecentChange } from '@/app/_web/changes'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { LiveDistance } from '@/components/ui/live-distance'
import { chosenZone } from '@/components/ui/zone'
import { takeovers } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
import { deviceWords, knownDevice } from '@/lib/kernel/request/device'
import { readClock } from '@/lib/kernel/runtime/clock'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { answerChanges } from './actions'

/** Returns which device a session is, in words. */
export const sessionDevice = (session: RecentChange['session']): string =>
  session?.name ?? deviceWords(session?.user_agent ?? null)

/** Returns the device of a session for a list. One that names itself could choose the words for another one. */
export const shownDevice = (
  session: Pick<NonNullable<RecentChange['session']>, 'name' | 'user_agent'>,
): string => (session.name === null ? deviceWords(session.user_agent) : quotedName(session.name))

const isKnown = (session: RecentChange['session']): boolean =>
  session !== null && (session.name ?? knownDevice(session.user_agent)) !== null

const isTakeover = ({ change }: RecentChange): boolean => takeovers.some((other) => other === change)

/** Returns several changes in a few words: all that can take the account away, or else the first one, and how many others there are. */
export function severalWords(changes: RecentChange[]): string {
  const named = changes.filter(isTakeover)
  const words = named.map(({ change }) => changeOnPages(change).words(''))
  const counted = [...new Set(words)].map((one) => {
    const times = words.filter((other) => other === one).length
    return times === 1 ? one : `${one} (${times})`
  })
  const [first] = changes
  const shown = counted.length > 0 || first === undefined ? counted : [changeWords(first)]
  const others = countChanges(changes) - Math.max(named.length, 1)
  return listWithAnd(others === 0 ? shown : [...shown, m.shell_changes_others({ count: others })])
}

/**
 * A line on every page for an hour after another session changed something. It asks whether that was the viewer, and stays after "no" until
 * the viewer says that everything is fixed. In the first day of an account it only tells. One answer may count for several changes, so only
 * the page that lists them has the answers. On a phone the band has two lines and leads to that page. `changes`: the most dangerous one first.
 */
export function ChangesBanner({ changes, isReported }: AskedChanges) {
  if (changes.length === 0) return null
  const newest = changes
    .map(({ at }) => at)
    .sort()
    .at(-1)
  const isCalm = changes.every(({ first_day }) => first_day)
  const count = countChanges(changes)
  return (
    <section
      aria-label={m.shell_changes_of_your_account()}
      className={`no-print border-b border-line ${isCalm ? 'bg-sunken' : 'bg-warn-wash'}`}
    >
      <form
        action={answerChanges}
        className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-1 px-5 py-2 max-sm:py-0.5 max-sm:[body:has([data-all-changes])_&]:py-2"
      >
        <input type="hidden" name="until" value={newest} />
        <div className="flex min-h-11 min-w-0 flex-1 basis-64 items-center gap-3 text-sm">
          <Icon
            of={isCalm ? Info : TriangleAlert}
            size={20}
            className={`shrink-0 max-sm:hidden ${isCalm ? 'text-soft' : 'text-warn'}`}
          />
          <p className="min-w-0 flex-1 wrap-anywhere max-sm:text-[0.8125rem] max-sm:leading-[1.05rem]">
            {isReported ? m.shell_changes_reported() : <ChangesText changes={changes} count={count} />}
          </p>
          <Link
            href="/security/changes"
            className={`inline-flex min-h-11 shrink-0 items-center font-semibold underline max-sm:max-w-32 max-sm:leading-[1.05rem] [body:has([data-all-changes])_&]:hidden ${isReported || count > 1 ? '' : 'sm:hidden'}`}
          >
            {isReported ? m.shell_changes_finish() : m.shell_changes_check()}
          </Link>
        </div>
        {isReported ? null : <Answers count={count} />}
      </form>
    </section>
  )
}

/** What was changed, and where: one change with its time, or several. A phone shows only how many. */
async function ChangesText({ changes, count }: { changes: RecentChange[]; count: number }) {
  const [zone, serverNow] = [await chosenZone(), readClock().getTime()]
  const [first] = changes
  if (first === undefined) return null
  const change = (children: ReactNode) => (
    <bdi translate="yes" className={first.first_day ? '' : 'font-semibold'}>
      {children}
    </bdi>
  )
  const device = sessionDevice(first.session)
  const isSeveral = bySession(changes).length > 1
  const from = isSeveral ? 'several' : isKnown(first.session) ? 'known' : 'unknown'
  return (
    <>
      <span className="sm:hidden">
        {isSeveral ? m.shell_changes_few_devices({ count }) : m.shell_changes_few({ count })}
      </span>
      <span className="max-sm:hidden">
        {count === 1 ? (
          <Sentence
            of={m.shell_changes_one}
            with={{ change: atBeginning(changeWords(first)), device, from }}
            parts={{ change, time: () => <LiveDistance at={first.at} serverNow={serverNow} zone={zone} /> }}
          />
        ) : (
          <Sentence
            of={m.shell_changes_several}
            with={{ count, change: atBeginning(severalWords(changes)), device, from }}
            parts={{ change }}
          />
        )}
      </span>
    </>
  )
}

/** One answer counts for all changes, so its words say how many, and only the page with all of them has the answers. */
function Answers({ count }: { count: number }) {
  return (
    <span className={`hidden gap-2 [body:has([data-all-changes])_&]:flex ${count === 1 ? 'sm:flex' : ''}`}>
      <button type="submit" className={buttonClass('plain')}>
        {m.shell_changes_yes({ count })}
      </button>
      <button type="submit" name="no" value="no" className={buttonClass('plain')}>
        {m.shell_changes_not_me({ count })}
      </button>
    </span>
  )
}
