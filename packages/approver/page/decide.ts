/** A decision: everything that the passkey signs, in words that this page makes. */

import { approveNaming, sentenceParts } from '@beak/decision/approve-naming'
import { duration } from '@beak/decision/duration'
import { englishText } from '@beak/decision/wording'
import { findAsker, type KnownAsker, withApproval } from '../memory'
import type { DecideMessage } from '../messages'
import type { Request, Statement } from '../statement'
import { type Answering, answerButtons } from './answer'
import { place, signWithPasskey } from './browser'
import { type Child, code, facts, foreign, make, note, section, show, time } from './dom'
import { hostName, hostNotes } from './host'
import { distanceFrom, inZone, jsonBlock, valueList } from './values'

const askerOf = ({ issuer, requester }: Statement) => ({ issuer, ...requester })

export function showDecision(answering: Answering & { message: DecideMessage }, request: Request): void {
  const { message, service } = answering
  const { statement, display } = request
  const isApproval = statement.decision === 'approve'
  const known = findAsker(place().memory, askerOf(statement))
  show(
    isApproval ? 'Approve this request?' : 'Reject this request?',
    verdict(isApproval),
    hostName(service),
    ...hostNotes(service),
    sentence(request),
    knownNote(statement, known),
    ...warnings(request),
    section(
      'values',
      'Values',
      valueList(request),
      request.message === null
        ? null
        : make(
            'div',
            { class: 'message' },
            make('p', { class: 'soft' }, 'Message from the requester (not verified)'),
            make('p', { class: 'text' }, foreign(request.message)),
          ),
    ),
    isApproval ? codeSection(statement) : null,
    section(
      'permission',
      isApproval ? 'The permission' : 'The permission that you refuse',
      permissionFacts(statement),
    ),
    section('people', 'Who', peopleFacts(statement)),
    exactStatement(message, request),
    answerButtons(
      answering,
      {
        label: isApproval ? approveLabel(request) : ['Reject with passkey'],
        kind: isApproval ? (request.risk.level === 'high' ? 'danger' : 'primary') : 'reject',
        ask: async () => {
          const { authenticatorAttachment: _, ...credential } = await signWithPasskey(message)
          return {
            answer: { type: 'decided', version: 1, state: message.state, credential: { ...credential } },
            change: (memory) => (isApproval ? withApproval(memory, askerOf(statement), new Date()) : memory),
          }
        },
      },
      'Go back without signing',
    ),
  )
  // The sentence has the words of the service only, so the screen reader's title of the tab can have them.
  document.title = `${isApproval ? 'Approve' : 'Reject'}: ${sentenceParts(display.sentence).action} – Approver`
}

/** Which of both decisions the passkey signs, in words, a sign and a colour. */
function verdict(isApproval: boolean): HTMLElement {
  const { sign, word, text } = isApproval ? approval : rejection
  return make(
    'div',
    { class: `verdict ${isApproval ? 'approval' : 'rejection'}` },
    make('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    make('div', {}, make('p', { class: 'note-title' }, `Your passkey signs: ${word}`), make('p', {}, text)),
  )
}

const approval = { sign: '✓', word: 'approve', text: 'The requester gets the permission below.' }
const rejection = {
  sign: '✕',
  word: 'reject',
  text: 'The requester gets no permission. A reason that you gave at the service is not signed.',
}

/** Who wants what, how often and how long. */
function sentence({ statement, display }: Request): HTMLElement {
  const { action, extent } = sentenceParts(display.sentence)
  const { agent_id, duckling_id } = statement.requester
  const asker = agent_id === null ? ['The account ', code(duckling_id)] : ['The agent ', code(agent_id)]
  return make(
    'p',
    { class: 'lead' },
    ...asker,
    ' wants to ',
    make('strong', {}, foreign(action)),
    foreign(extent),
    '.',
  )
}

function knownNote({ requester: { agent_id } }: Statement, known: KnownAsker | null): HTMLElement {
  const whom = agent_id === null ? 'account' : 'agent'
  if (known === null)
    return note(
      'warn',
      'New to this approver',
      make('p', {}, `You have approved nothing of this ${whom} in this browser.`),
    )
  const { approvals, last_at } = known
  return note(
    'plain',
    `You approved ${approvals === 1 ? '1 request' : `${approvals} requests`} of this ${whom} here`,
    make('p', {}, 'The last one: ', time(last_at, inZone), '.'),
  )
}

const levelWords = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' }

function warnings({ risk, differs, statement }: Request): Child[] {
  const { code: shopCode } = statement
  return [
    risk.reasons.length === 0
      ? null
      : note(
          risk.level === 'high' ? 'bad' : 'warn',
          levelWords[risk.level],
          make('ul', {}, ...risk.reasons.map(({ wording }) => make('li', {}, foreign(englishText(wording))))),
        ),
    differs.length === 0
      ? null
      : note(
          'bad',
          'The service displayed something else',
          make(
            'p',
            {},
            'This page makes its words from what is signed. The service says that it displayed this instead:',
          ),
          make(
            'ul',
            {},
            ...differs.map(({ name, text }) =>
              make(
                'li',
                {},
                name === null ? null : foreign(name),
                name === null ? null : ': ',
                foreign(text),
              ),
            ),
          ),
        ),
    statement.decision === 'approve' && shopCode !== null && shopCode.typed === null
      ? note(
          'warn',
          'No code was typed',
          make(
            'p',
            {},
            'The service that acts sent a code with the request. It will refuse an approval without the code.',
          ),
        )
      : null,
    statement.test
      ? note(
          'plain',
          'This is a test',
          make(
            'p',
            {},
            'The account exists only for tests. A service that acts refuses tests unless it allows them.',
          ),
        )
      : null,
  ]
}

function codeSection({ code: shopCode, audience }: Statement): HTMLElement | null {
  if (shopCode === null || shopCode.typed === null) return null
  const shownBy = audience === null ? 'the service that acts' : foreign(audience, true)
  return section(
    'code',
    'The code that you typed',
    make('p', { class: 'code' }, shopCode.typed),
    make('p', {}, 'Compare it with the code that ', shownBy, ' shows you. If they differ, go back.'),
  )
}

const uses = {
  limited: 'Once',
  timed: 'Any number of times until it expires',
  standing: 'Any number of times until you revoke it',
}

function permissionFacts(statement: Statement): HTMLElement {
  const { action, scope, grant_seconds, audience, challenge, expires_at } = statement
  return facts(
    ['Action', code(action)],
    ['Use', uses[scope]],
    [
      'Valid for',
      grant_seconds === null
        ? 'No end: until you revoke it'
        : `${duration(grant_seconds)} after the approval`,
    ],
    [
      'Valid at',
      audience === null ? 'Not limited to one service' : make('strong', {}, foreign(audience, true)),
    ],
    challenge === null ? null : ['Challenge', code(challenge)],
    ['Decide by', time(expires_at, inZone), ` (${distanceFrom(new Date(), expires_at)})`],
  )
}

function peopleFacts({ requester, target_duckling_id, peck_id }: Statement): HTMLElement {
  const isOwn = requester.duckling_id === target_duckling_id
  return facts(
    requester.agent_id === null ? null : ['Agent', code(requester.agent_id)],
    [
      requester.agent_id === null ? 'From' : 'Its owner',
      code(requester.duckling_id),
      isOwn ? ' (your own account)' : null,
    ],
    ['Your account', code(target_duckling_id)],
    ['Request', code(peck_id)],
  )
}

function exactStatement({ statement_text, values }: DecideMessage, { statement }: Request): HTMLElement {
  return make(
    'details',
    { class: 'exact' },
    make('summary', {}, 'Everything that is signed'),
    make(
      'p',
      {},
      `The passkey signs the SHA-256 of this statement (${statement_text.length} characters, without these line breaks):`,
    ),
    jsonBlock(statement),
    make('p', {}, 'The values behind its hashes, secrets included:'),
    jsonBlock(values.params.map(({ name, value }) => ({ name, value }))),
  )
}

/** A high risk is named on the button. */
function approveLabel({ risk, display }: Request): Child[] {
  if (risk.level !== 'high') return ['Approve with passkey']
  const { how, value } = approveNaming(display)
  const { action } = sentenceParts(display.sentence)
  const verb = {
    action,
    unlisted: 'approve',
    amount: `${action}:`,
    recipient: `${action} to`,
    object: action.replace(/^(\S+) an? /, '$1 the '),
  }[how]
  return [
    `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
    value === null ? null : ' ',
    value === null ? null : foreign(value),
    make('span', { class: 'visually-hidden' }, ' with passkey'),
  ]
}
