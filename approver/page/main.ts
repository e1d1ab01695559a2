/** Starts the page. */
import './without-eval'
import { enrolledService } from '../open-message'
import { type RefusalReason, Refused, refusals } from '../refused'
import { cancelMessage } from './answer'
import { closePrompt, open, place } from './browser'
import { showDecision } from './decide'
import { button, make, show } from './dom'
import { showEnrol } from './enrol'
import { showHome } from './home'

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
