/** Sets up this approver for an account at a service. */

import './without-eval'
import { findEnrolment, withPasskey } from '../memory'
import type { EnrolMessage } from '../messages'
import { enrolledService } from '../open-message'
import { type RefusalReason, Refused, refusals } from '../refused'
import { type Answering, answerButtons, cancelMessage } from './answer'
import { closePrompt, createPasskey, open, place } from './browser'
import { showDecision } from './decide'
import { button, code, facts, make, note, section, show, time } from './dom'
import { showHome } from './home'
import { hostName, hostNotes } from './host'
import { inZone } from './values'

function showEnrol(answering: Answering & { message: EnrolMessage }): void {
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

/** Starts the page. */

const fragment = location.hash
/** The longest time that a browser waits, in milliseconds. */
const timerMax = 2 ** 31 - 1

/** Shows why nothing can be signed here. A message of a service that is set up here can go back, without a signature. */
function refuse(reason: RefusalReason): void {
  closePrompt()
  const { title, text } = refusals[reason]
  const back = reason === 'changed' || reason === 'frame' ? null : enrolledService(fragment, place())
  show(title, make('p', { class: 'lead' }, text), buttonsFor(reason, back))
}

function buttonsFor(reason: RefusalReason, back: ReturnType<typeof enrolledService>): HTMLElement | null {
  if (reason === 'changed') {
    const read = button('primary', 'Read the new request')
    read.addEventListener('click', () => location.reload())
    return make('div', { class: 'buttons' }, read)
  }
  if (back === null) return null
  const cancel = button('plain', `Go back to ${back.service.host}`)
  cancel.addEventListener('click', () => cancelMessage(back))
  return make('div', { class: 'buttons' }, cancel)
}

/** Runs a step of the page, and shows its refusal. */
function attempt(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    refuse(error.reason)
  }
}

attempt(() => {
  const opened = open()
  if (opened.type === 'home') return showHome()
  const { message, service } = opened
  const answering = { service, fragment, onRefused: refuse }
  if (message.type === 'enrol') return showEnrol({ ...answering, message })
  if (opened.type !== 'decide') return
  showDecision({ ...answering, message }, opened.request)
  const left = Date.parse(opened.request.statement.expires_at) - Date.now()
  setTimeout(() => attempt(open), Math.min(left, timerMax))
})

const hostPlace = document.getElementById('place')
if (hostPlace !== null) hostPlace.textContent = location.host
// A page with a handle on this window can change the fragment in the moment of a click.
window.addEventListener('hashchange', () => refuse('changed'))
// A page from the cache of Back may be old.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
