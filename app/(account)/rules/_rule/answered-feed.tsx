import { read } from '@/app/_web/read'
import { Announcements } from '@/components/ui/announcements'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { AnswerList } from './answer-list'
import { readRuleState } from './reads'
import { SpentNotice } from './spent-notice'
import { isSpent } from './words'

const shown = 5

/** "Answered for you": what rules answered last. Nothing for a person without rules. */
export async function AnsweredFeed({ now }: { now: Date }) {
  if (!(await readRuleState()).made) return null
  const [{ items, next_cursor: next }, { items: rules }] = await Promise.all([
    read('GET /beak/rule/answers', { query: { limit: String(shown) } }),
    read('GET /beak/rule/list', { query: { limit: '100' } }),
  ])
  const spent = rules.filter(isSpent)
  if (items.length === 0 && spent.length === 0) return null
  return (
    <section aria-labelledby="answered" className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-5">
        <h2 id="answered">{m.rules_answered_for_you()}</h2>
        {next === null ? null : (
          <Link href="/rules/answers" className="inline-flex min-h-11 items-center text-sm underline">
            {m.rules_all_answers()}
          </Link>
        )}
      </div>
      {spent.map((rule) => (
        <SpentNotice key={rule.rule_id} rule={rule} />
      ))}
      <Announcements>
        <AnswerList answers={items} rules={rules} label={m.rules_answered_for_you()} now={now} />
      </Announcements>
    </section>
  )
}
