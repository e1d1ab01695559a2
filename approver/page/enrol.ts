/** Sets up this approver for an account at a service. */
import { inZone } from '@/components/ui/time-words'
import { findEnrolment, withPasskey } from '../memory'
import type { EnrolMessage } from '../messages'
import { type Answering, answerButtons } from './answer'
import { createPasskey, place } from './browser'
import { code, facts, make, note, section, show, time } from './dom'
import { hostName, hostNotes } from './host'

export function showEnrol(answering: Answering & { message: EnrolMessage }): void {
  const { message, service } = answering
  const before = findEnrolment(place().memory, message.issuer, message.duckling_id)
  show(
    'Set up this approver?',
    make(
      'p',
      { class: 'lead' },
      'Compare the name of the service, letter by letter, with the one that you know:',
    ),
    hostName(service),
    ...hostNotes(service),
    facts(['Account', code(message.duckling_id)], ['Address', code(message.issuer)]),
    before === null
      ? null
      : note(
          'plain',
          'This account is set up here',
          make(
            'p',
            {},
            'Since ',
            time(before.since, inZone),
            '. The new passkey is added, and the old one stays.',
          ),
        ),
    section(
      'next',
      'What happens next',
      make(
        'ul',
        {},
        make('li', {}, 'Your device makes a passkey that only this page can use.'),
        make(
          'li',
          {},
          'The service sends you here when it needs a decision. You read it here and sign it with that passkey.',
        ),
        make('li', {}, 'This browser remembers the service and the account.'),
      ),
    ),
    answerButtons(
      answering,
      {
        label: ['Create passkey'],
        kind: 'primary',
        ask: async () => {
          const { authenticatorAttachment: _, ...credential } = await createPasskey(message, service)
          return {
            answer: { type: 'enrolled', version: 1, state: message.state, credential: { ...credential } },
            change: (memory) => withPasskey(memory, message, credential.id, new Date()),
          }
        },
      },
      'Go back without a passkey',
    ),
  )
}
