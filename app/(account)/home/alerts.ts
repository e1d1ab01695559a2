/** What is worth a look before it hurts: keys about to end, keys that somebody still tries, sign-ins from elsewhere. */
import type { z } from 'zod'
import type { Agent } from '@/lib/domain/agents/schema'
import type { Session } from '@/lib/domain/sessions/schema'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { deviceWords } from '@/lib/kernel/device'

export interface Alert {
  id: string
  tone: 'warn' | 'bad' | 'neutral'
  /** An agent's own name, which its operator chose, goes before the rest. */
  name?: string
  text: string
  at: string | null
  href: string
  action: string
}

const keyNoticeSeconds = 14 * day
const signInNoticeSeconds = 2 * day

/** About the keys of one's agents. */
export function keyAlerts(agents: z.output<typeof Agent>[], now: Date): Alert[] {
  const soon = secondsAfter(now, keyNoticeSeconds).toISOString()
  return agents.flatMap(({ agent_id: id, agent_name: name, key }) => {
    const href = `/agents/manage/${id}`
    const alerts: Alert[] = []
    if (key.retired_key_uses > 0)
      alerts.push({
        id: `${id}-dead`,
        tone: 'bad',
        name,
        text: `: a dead key was used ${times(key.retired_key_uses)}. Somebody still has it.`,
        at: null,
        href,
        action: 'See the agent',
      })
    if (key.expires_at <= soon)
      alerts.push({
        id: `${id}-end`,
        tone: 'warn',
        name,
        text: key.expires_at <= now.toISOString() ? ': its key has ended' : ': its key ends soon',
        at: key.expires_at,
        href,
        action: 'Rotate the key',
      })
    return alerts
  })
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Sign-ins of late from another device or place than the one the viewer is at. */
export function signInAlerts(sessions: z.output<typeof Session>[], now: Date): Alert[] {
  const since = secondsAfter(now, -signInNoticeSeconds).toISOString()
  const here = sessions.find(({ current }) => current)
  const familiar = (session: (typeof sessions)[number]) =>
    session.ip === here?.ip && deviceWords(session.user_agent) === deviceWords(here?.user_agent ?? null)
  return sessions
    .filter((session) => !session.current && session.auth_time >= since && !familiar(session))
    .map((session) => ({
      id: session.session_id,
      tone: 'neutral',
      text: `Signed in: ${deviceWords(session.user_agent)}${session.ip === null ? '' : ` from ${session.ip}`}`,
      at: session.auth_time,
      href: '/security#sessions',
      action: 'If that was not you, end it',
    }))
}
