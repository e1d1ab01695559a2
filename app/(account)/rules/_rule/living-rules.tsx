import { read } from '@/app/_web/read'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { readRuleState, readSubjects, subjectName } from './reads'
import { RuleRow } from './rule-row'
import { isLiving } from './words'

/** The rules that answer for the viewer now, beside the permissions. Nothing for a person without rules. */
export async function LivingRules({ viewerId, now }: { viewerId: string; now: Date }) {
  const { living, paused_at } = await readRuleState()
  if (living === 0) return null
  const [{ items }, subjects] = await Promise.all([
    read('GET /beak/rule/list', { query: { limit: '100' } }),
    readSubjects(viewerId),
  ])
  return (
    <section aria-labelledby="rules" className="mb-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-5 border-b border-line pb-2">
        <h2 id="rules" className="text-lg">
          {m.rules_always_allowed()}
        </h2>
        <Link href="/rules" className="inline-flex min-h-11 items-center text-sm underline">
          {m.rules_all_rules()}
        </Link>
      </div>
      <ul aria-label={m.rules_always_allowed()}>
        {items.filter(isLiving).map((rule) => (
          <RuleRow
            key={rule.rule_id}
            rule={rule}
            subject={subjectName(subjects, rule.rule)}
            areAllPaused={paused_at !== null}
            now={now}
          />
        ))}
      </ul>
    </section>
  )
}
