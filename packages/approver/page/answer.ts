/** The buttons that answer a message, and what the page shows while it goes back. */
import { type Memory, withAnswer } from '../memory'
import type { ApproverAnswer, ApproverMessage } from '../messages'
import { type RefusalReason, Refused } from '../refused'
import type { Service } from '../service'
import { leave, openAgain, remember } from './browser'
import { button, type Child, foreign, make, show } from './dom'

/**
 * A page that appears under the pointer in the middle of a double click would be answered unread. A press within this time after the page
 * appears does nothing.
 */
const pauseMilliseconds = 700

export interface Answering {
  message: ApproverMessage
  service: Service
  /** The fragment that the person read. */
  fragment: string
  onRefused: (reason: RefusalReason) => void
}

/** What the passkey button does: asks the passkey, and says what to remember and to send. */
interface PasskeyButton {
  label: Child[]
  kind: 'primary' | 'danger' | 'reject'
  ask: () => Promise<{ answer: ApproverAnswer; change: (memory: Memory) => Memory }>
}

/** Returns the buttons at the end of a page: the passkey, and the way back without it. */
export function answerButtons(
  answering: Answering,
  passkey: PasskeyButton,
  cancelLabel: string,
): HTMLElement {
  const status = make('p', { class: 'status', role: 'status' })
  const sign = button(passkey.kind, ...passkey.label)
  const cancel = button('plain', cancelLabel)
  let [shownAt, isBusy] = [performance.now(), false]
  // Also when another window that covered this page closes.
  window.addEventListener('focus', () => {
    if (!isBusy) shownAt = performance.now()
  })

  async function answer() {
    if (isBusy) return
    if (performance.now() - shownAt < pauseMilliseconds) {
      status.textContent = 'Read the page first. Then press the button again.'
      return
    }
    isBusy = true
    status.textContent = 'Waiting for your passkey …'
    try {
      openAgain(answering.fragment)
      const { answer: given, change } = await passkey.ask()
      openAgain(answering.fragment)
      goBack(answering, given, change)
    } catch (error) {
      if (error instanceof Refused) answering.onRefused(error.reason)
      else status.textContent = faultWords(error)
    } finally {
      isBusy = false
      shownAt = performance.now() - pauseMilliseconds
    }
  }
  sign.addEventListener('click', () => void answer())
  cancel.addEventListener('click', () => {
    if (!isBusy) cancelMessage(answering)
  })
  return make('div', { class: 'answer' }, make('div', { class: 'buttons' }, sign, cancel), status)
}

/** Goes back without a signature. */
export function cancelMessage({ message, service }: Pick<Answering, 'message' | 'service'>): void {
  goBack({ message, service }, { type: 'cancelled', version: 1, state: message.state }, (memory) => memory)
}

/** Remembers the answer and goes back. */
function goBack(
  { message, service }: Pick<Answering, 'message' | 'service'>,
  answer: ApproverAnswer,
  change: (memory: Memory) => Memory,
): void {
  remember((memory) => withAnswer(change(memory), message))
  const address = leave(message.return, answer)
  show(
    answer.type === 'cancelled' ? 'Nothing was signed' : 'Done',
    make(
      'p',
      {},
      'You go back to ',
      foreign(service.host, true),
      '. If nothing happens, ',
      make('a', { href: address, rel: 'noreferrer' }, 'continue there'),
      '.',
    ),
  )
}

/** Returns what to do after a prompt of the passkey that gave nothing. */
function faultWords(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The passkey did not sign: the prompt was closed, or this device does not have the passkey. Try again, or go back.'
  return 'The passkey could not be used. Try again, or use another device. Nothing was signed.'
}
