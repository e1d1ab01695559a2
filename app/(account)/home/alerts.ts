/** What needs the viewer's attention: keys that expire soon, old keys that are still used, sign-ins from other devices. */

import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { knownDevice } from '@/lib/kernel/request/device'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { codingAgentName } from '@/lib/kernel/text/coding-agents'
import { keptText } from '@/lib/kernel/text/kept-values'

type Agent = ResponseOf<'GET /beak/agent/list'>['items'][number]
type Session = ResponseOf<'GET /beak/session/list'>['items'][number]

export interface Alert {
  id: string
  tone: 'warn' | 'bad' | 'neutral'
  /** The name of an agent, which its operator chose. Shown before the text. */
  name?: string
  /** With marks around the values that stay. */
  text: string
  /** Shown after the text. */
  at: string | null
  /** The time is shown as it is, and not as its distance from now. */
  isSince?: boolean
  href: string
  action: string
}

const keyNoticeSeconds = 14 * day
const signInNoticeSeconds = 2 * day

/**
 * Returns the alerts. Agents that act without asking and those that may mean a thief come first, because the page shows only the first: old keys that
 * are used, then sign-ins, then keys that have expired or will. `askedAbout`: the session about which the band of the page asks already.
 */
export function alertsOf(agents: Agent[], sessions: Session[], now: Date, askedAbout?: string): Alert[] {
  return [
    ...agents.flatMap(guardAlerts),
    ...agents.flatMap(oldKeyAlerts),
    ...signInAlerts(sessions, now).filter(({ id }) => id !== askedAbout),
    ...agents.flatMap((agent) => expiryAlerts(agent, now)),
  ]
}

const guardTexts: Record<string, typeof m.home_alert_ran_without_asking> = {
  disconnected: m.home_alert_guard_taken_away,
  weakened: m.home_alert_guard_only_watches,
}

function guardAlerts({ agent_id: id, guard }: Agent): Alert[] {
  if (guard === null || guard.alarm === null) return []
  const { cause, since } = guard.alarm
  const values = { tool: codingAgentName(guard.tool), computer: guard.computer }
  return [
    {
      id: `${id}-guard`,
      tone: 'bad',
      text: keptText(guardTexts[cause] ?? m.home_alert_ran_without_asking, values),
      at: since,
      isSince: true,
      href: `/agents/manage/${id}#guard`,
      action: m.home_see_what_to_do(),
    },
  ]
}

function oldKeyAlerts({ agent_id: id, agent_name: name, key }: Agent): Alert[] {
  if (key.retired_key_uses === 0) return []
  return [
    {
      id: `${id}-old-key`,
      tone: 'bad',
      name,
      text: m.home_alert_old_key_used({ count: key.retired_key_uses }),
      at: null,
      href: `/agents/manage/${id}`,
      action: m.home_view_agent(),
    },
  ]
}

function expiryAlerts({ agent_id: id, agent_name: name, key, connection }: Agent, now: Date): Alert[] {
  if (connection !== null || key.expires_at > secondsAfter(now, keyNoticeSeconds).toISOString()) return []
  return [
    {
      id: `${id}-expiry`,
      tone: 'warn',
      name,
      text: key.expires_at <= now.toISOString() ? m.home_its_key_expired() : m.home_its_key_expires(),
      at: key.expires_at,
      href: `/agents/manage/${id}`,
      action: m.home_rotate_key(),
    },
  ]
}

/** Returns the recent sign-ins from another device or IP address than the viewer's current one. */
function signInAlerts(sessions: Session[], now: Date): Alert[] {
  const since = secondsAfter(now, -signInNoticeSeconds).toISOString()
  const current = sessions.find((session) => session.current)
  const isFamiliar = (session: Session) =>
    session.ip === current?.ip && knownDevice(session.user_agent) === knownDevice(current?.user_agent ?? null)
  return sessions
    .filter((session) => !session.current && session.auth_time >= since && !isFamiliar(session))
    .map(({ session_id, user_agent, ip, auth_time }) => ({
      id: session_id,
      tone: 'neutral',
      text: signInWords(knownDevice(user_agent), ip),
      at: auth_time,
      href: '/security#sessions',
      action: m.home_not_you_sign_it_out(),
    }))
}

function signInWords(device: string | null, ip: string | null): string {
  if (device === null)
    return ip === null ? m.home_alert_sign_in_unknown() : keptText(m.home_new_sign_in_unknown_ip, { ip })
  return ip === null
    ? keptText(m.home_alert_sign_in_device, { device })
    : keptText(m.home_new_sign_in_ip, { device, ip })
}
