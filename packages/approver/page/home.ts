/** The page without a message: what it is, and which services are set up in this browser. */

import { type Enrolment, withoutEnrolment } from '../memory'
import { place, remember } from './browser'
import { button, code, facts, make, section, show, time } from './dom'
import { inZone } from './values'

export function showHome(): void {
  const { enrolments } = place().memory
  show(
    'See what you sign',
    make(
      'p',
      { class: 'lead' },
      'A service sends you here before you approve or reject something. This page shows what is really signed, and your passkey signs exactly that.',
    ),
    make(
      'p',
      {},
      'A service cannot use the passkey of this page. Keep the page on a host that your services do not control, such as your own computer.',
    ),
    section(
      'services',
      'Your services',
      ...(enrolments.length === 0 ? [emptyText()] : enrolments.map(enrolmentCard)),
    ),
    section(
      'check',
      'Check this page',
      make(
        'p',
        {},
        'It is one file that loads nothing. Its SHA-256 is in the release notes of Beak and in the transparency log of the service. Or build it yourself: ',
      ),
      make('pre', { tabindex: '0' }, 'npm run approver -- build'),
    ),
  )
}

function emptyText(): HTMLElement {
  return make(
    'p',
    {},
    'None yet. At your service, open Security and set this address as your approver: ',
    code(location.origin),
  )
}

const hostOf = (issuer: string) => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

function enrolmentCard(enrolment: Enrolment): HTMLElement {
  const host = hostOf(enrolment.issuer)
  const forget = button(
    'plain',
    'Forget',
    make('span', { class: 'visually-hidden' }, ` ${host}, ${enrolment.duckling_id}`),
  )
  const card = make(
    'article',
    { class: 'card' },
    make('h3', {}, make('bdi', { dir: 'ltr' }, host)),
    facts(['Account', code(enrolment.duckling_id)], ['Since', time(enrolment.since, inZone)]),
    forget,
  )
  forget.addEventListener('click', () => {
    const question = forgetQuestion(enrolment)
    forget.replaceWith(question)
    question.querySelector('button')?.focus()
  })
  return card
}

/** Asks before a service is forgotten. */
function forgetQuestion(enrolment: Enrolment): HTMLElement {
  const yes = button('danger', 'Forget this account')
  const no = button('plain', 'Keep it')
  yes.addEventListener('click', () => {
    remember((memory) => withoutEnrolment(memory, enrolment))
    showHome()
  })
  no.addEventListener('click', showHome)
  return make(
    'div',
    { role: 'group', 'aria-labelledby': 'forget-question' },
    make(
      'p',
      { id: 'forget-question' },
      'This page will refuse requests of this account. The passkey stays on your device and at the service: remove it there, too.',
    ),
    make('div', { class: 'buttons' }, no, yes),
  )
}
