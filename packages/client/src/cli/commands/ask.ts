import type { OpenInvitation } from '../../generated/schemas'
import { command } from '../command'
import { timeText } from '../duration'
import { usageFault } from '../exit'
import type { Session } from '../session'
import { askOptions, sendRequest } from './peck'

export const ask = command({
  name: 'ask',
  summary: 'Ask the person of an invitation link.',
  details:
    'Without an action, it asks for the action that the link allows. When the link allows any action, it shows whom the link is from.',
  args: [
    { name: 'link', summary: 'The whole address of the link: https://…/ask/….' },
    { name: 'action', optional: true, summary: 'What for, as verb:object, such as send:mail.' },
  ],
  options: askOptions,
  async run({ options, args: [target = '', given], session }) {
    if (given !== undefined) return sendRequest(session, { target, action: given, options })
    const beak = await session.anonymous()
    const invitation = await beak.viewInvitation({ token: tokenIn(target) })
    if (invitation.action === null) return show(session, invitation)
    return sendRequest(session, { target, action: invitation.action, options })
  },
})

function tokenIn(link: string): string {
  const token = /\/ask\/([0-9A-Z]+)\/?$/.exec(link)?.[1]
  if (token === undefined)
    throw usageFault('This is not an invitation link.', 'Copy the whole address: https://…/ask/….')
  return token
}

function show(session: Session, invitation: OpenInvitation): void {
  const { person, expires_at } = invitation
  session.output.facts(invitation, `Invitation of ${person.full_name ?? person.display_name}`, {
    handle: person.handle === undefined ? '' : `@${person.handle}`,
    tier: person.trust_tier,
    certificate: person.verify_url,
    'valid until': timeText(expires_at),
    next: 'Name an action, such as: beak ask <link> send:mail',
  })
}
