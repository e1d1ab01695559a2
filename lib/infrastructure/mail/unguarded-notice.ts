/** The alarm that a coding agent acts without asking. */
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { codingAgentName } from '@/lib/kernel/text/coding-agents'
import { foreignText } from './foreign-text'

/** How it came to that, by the cause of the alarm. */
const texts: Record<string, typeof m.mail_unguarded_no_session> = {
  no_session: m.mail_unguarded_no_session,
  unguarded: m.mail_unguarded_unguarded,
  disconnected: m.mail_unguarded_disconnected,
  weakened: m.mail_unguarded_weakened,
}

/** Returns what happened. `at`: since when. */
export function unguardedSentence({
  agent = '',
  tool = '',
  computer = '',
  cause = '',
  at: since,
}: Record<string, string> & { at: string }): string {
  const write = texts[cause] ?? m.mail_unguarded_no_session
  return write({
    tool: codingAgentName(tool),
    computer: foreignText(computer),
    agent: foreignText(agent),
    since,
  })
}

/** Returns the button that opens the alarm on the page of the agent. */
export const unguardedLink = (facts?: Record<string, string>) => ({
  label: m.mail_unguarded_open(),
  url: `${config().baseUrl}/agents/manage/${encodeURIComponent(facts?.agent_id ?? '')}#guard`,
})
