import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Facts, Notice, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { codingAgentName } from '@/lib/kernel/text/coding-agents'
import { changeGuard } from '../../actions'
import { connectCommand } from '../../address-commands'
import type { Agent } from '../../read'

type Guard = NonNullable<Agent['guard']>

const modes: Record<Guard['mode'], () => string> = {
  watch: m.agents_guard_mode_watch,
  guard: m.agents_guard_mode_guard,
  strict: m.agents_guard_mode_strict,
}

const alarms: Record<NonNullable<Guard['alarm']>['cause'], typeof m.agents_guard_ran_without_asking> = {
  no_session: m.agents_guard_ran_without_asking,
  unguarded: m.agents_guard_ran_without_asking,
  disconnected: m.agents_guard_taken_away,
  weakened: m.agents_guard_only_watches,
}

/** Whether a coding agent asks before it acts, by the word of its guard, and the alarm when it does not. */
export function GuardSection({ agent }: { agent: Agent }) {
  const { guard, agent_id: agentId } = agent
  if (guard === null) return null
  const { computer, alarm, stopped_at: stopped, started_at: started } = guard
  const tool = codingAgentName(guard.tool)
  const time = (at: string) => () => <Time at={at} />
  return (
    <Section id="guard" title={m.agents_guard()} lead={m.agents_guard_lead()}>
      {alarm === null ? null : (
        <div className="mb-6">
          <Notice tone="bad">
            <p className="mb-1 font-semibold wrap-anywhere">
              <Sentence
                of={alarms[alarm.cause]}
                with={{ tool, computer }}
                parts={{ time: time(alarm.since) }}
              />
            </p>
            <p>
              <Sentence
                of={m.agents_guard_what_to_do}
                parts={{
                  command: () => <code translate="no">{`${connectCommand(config().baseUrl)} status`}</code>,
                  link: (children) => (
                    <Link href="/docs/agents/coding-agents" className="underline">
                      {children}
                    </Link>
                  ),
                }}
              />
            </p>
            <div className="mt-3">
              <Change agentId={agentId} change="dismiss" label={m.agents_guard_dismiss()} />
            </div>
          </Notice>
        </div>
      )}
      <Facts
        facts={[
          {
            name: m.agents_guard(),
            value:
              stopped !== null ? (
                <Sentence
                  of={m.agents_guard_stopped}
                  with={{ tool, computer }}
                  parts={{ time: time(stopped) }}
                />
              ) : (
                <Sentence
                  of={m.agents_guard_started}
                  with={{ tool, computer }}
                  parts={{ time: time(started ?? guard.heard_at) }}
                />
              ),
          },
          { name: m.agents_guard_mode(), value: modes[guard.mode]() },
          { name: m.agents_guard_version(), value: <bdi translate="no">{guard.version}</bdi> },
          {
            name: m.agents_guard_alarms(),
            value: guard.warns ? m.agents_guard_alarms_are_on() : m.agents_guard_alarms_are_off(),
          },
        ]}
      />
      <div className="mt-4">
        {guard.warns ? (
          <Change agentId={agentId} change="off" label={m.agents_guard_alarms_off()} />
        ) : (
          <Change agentId={agentId} change="on" label={m.agents_guard_alarms_on()} />
        )}
      </div>
    </Section>
  )
}

interface ChangeProps {
  agentId: string
  change: 'dismiss' | 'off' | 'on'
  label: string
}

function Change({ agentId, change, label }: ChangeProps) {
  return (
    <ActionForm action={changeGuard} label={label}>
      <input type="hidden" name="agent_id" value={agentId} />
      <input type="hidden" name="change" value={change} />
      <SubmitButton kind="plain">{label}</SubmitButton>
    </ActionForm>
  )
}
