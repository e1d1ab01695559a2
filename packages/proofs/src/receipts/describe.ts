/** A valid receipt in words, for command lines. */
import { exactMoneyText } from '../rules/money'
import { type DecisionStatement3, ruleIdIn } from './decision-statement'
import type { EnrolmentFacts } from './enrolment'
import type { LoggedFacts } from './logged'
import { outcomeWords } from './outcome'
import type { Requirement } from './policy'
import type { RuleFacts } from './rule'
import type { ReceiptFacts } from './verify'
import type { OutcomeFacts } from './verify-outcome'

/** What a receipt shows about the enrolment of the passkey, as sentences for people. */
export const enrolmentWords: Record<EnrolmentFacts['state'], string> = {
  proven:
    'Trusted witnesses confirm that the transparency log had this passkey no later than ten minutes after the stated time of the decision. They confirm neither who added the passkey nor when the person decided.',
  witness_not_trusted: "The service's log has this passkey. No independent witness confirms since when.",
  not_witnessed: "The service's log has this passkey, but too few trusted witnesses confirmed that in time.",
  log_not_trusted:
    'Not proven: the receipt says that the log had this passkey. To prove it, verify the receipt with the keys of the log and of a witness.',
  not_logged:
    'Not proven: nothing shows that this passkey was enrolled before the decision. The log gets a new passkey within a minute.',
  no_passkey: 'This receipt has no signature of a passkey: only the service confirms this.',
}

/** What a receipt shows about the enrolment of the passkey that signed a rule, as sentences for people. */
export const ruleEnrolmentWords: Record<EnrolmentFacts['state'], string> = {
  ...enrolmentWords,
  proven:
    'Trusted witnesses confirm that the transparency log had this passkey no later than ten minutes after the stated time of the rule. They confirm neither who added the passkey nor when the person signed.',
  not_logged: 'Not proven: nothing shows that this passkey was enrolled before the rule was signed.',
}

/** What the answer of a rule means, as a sentence for people. */
export const ruleText =
  'A rule answered. A passkey signed the rule, and not this request. How much of its budget was spent before is the word of the service.'

/** What a receipt says that leaves its rule out. */
export const noRuleText =
  'A rule answered. This receipt leaves the rule out, so only the service confirms this.'

/** Whether the request lies within the rule, as sentences for people. */
export const withinRuleWords: Record<RuleFacts['withinRule'], string> = {
  proven: 'The request lies within the rule.',
  values_hidden:
    'What this receipt shows lies within the rule. It hides values, so only the service says that the whole request does.',
}

/** Returns what a rule has allowed after its answer, and its limits. */
export function budgetText({ budget: { currency, cost, period, after, limits } }: RuleFacts): string {
  const money = (minor: number) => (currency === null ? '0' : exactMoneyText({ minor, currency }))
  const each = period === null ? '' : ` in ${period}`
  return [
    ...(cost === 0 ? [] : [`This costs ${money(cost)}.`]),
    limits.uses === null ? '' : `Used ${after.uses} of ${limits.uses} times.`,
    limits.uses_each === null ? '' : `Used ${after.period_uses} of ${limits.uses_each} times${each}.`,
    limits.amount === null || currency === null
      ? ''
      : `Spent ${money(after.amount)} of ${money(limits.amount)}${each}.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

/** What a receipt shows about an event in the log, as sentences for people. */
export const loggedWords: Record<LoggedFacts['state'], string> = {
  proven: 'Trusted witnesses saw it in the transparency log within ten minutes of the stated time.',
  witness_not_trusted: "The service's log has it. No independent witness confirms since when.",
  not_witnessed: "The service's log has it, but too few trusted witnesses saw it there at the stated time.",
  log_not_trusted:
    'Not proven: the receipt says that the log has it. To prove it, verify the receipt with the keys of the log and of a witness.',
  not_logged: 'Not proven: the receipt does not show it in the log. The log gets it within a minute.',
}

/** Who confirms a receipt, as titles and as sentences for people. */
export const trustWords: Record<Requirement, { title: string; text: string }> = {
  service: {
    title: 'Only the service says so',
    text: 'The service signed this, so the service can also have made it up.',
  },
  signed: {
    title: 'Signed with a passkey',
    text: 'A passkey signed this too. Only the service says whose passkey it is.',
  },
  proven: {
    title: 'Signed with a passkey that witnesses saw',
    text: 'A passkey signed this too. Only the service says whose passkey it is.',
  },
  pinned: {
    title: 'Signed with a passkey that you have pinned',
    text: 'A passkey that you have kept since an earlier contact signed this, or vouches for the one that did.',
  },
}

/** What a receipt of version 1 shows about the passkey when it has no signature of one. */
export const noEarlierSignature =
  'This receipt has no signature of a passkey. A passkey may have signed version 2 (GET /beak/peck/outcome).'

/** What a passkey signed, as sentences for people. */
export const signedWords: Record<1 | 2 | 3, string> = {
  1: 'signed the action, the lifetime and both sides, with one hash of the params. It signed no audience, and not what the page displayed.',
  2: 'signed this statement',
  3: 'signed this statement',
}

/** Returns the facts of a receipt as labels and texts, in the order to show them. Empty texts have nothing to say. */
export function describeReceipt(facts: ReceiptFacts | OutcomeFacts): Record<string, string> {
  const { statement } = facts
  const { agent_id: agentId, duckling_id: requester } = statement.requester
  return escaped({
    outcome: facts.version === 1 ? outcomeWords.approved : outcomeWords[facts.outcome],
    asked: `${statement.action} (${statement.scope})`,
    ...(facts.version === 1 ? { 'params hash': facts.statement.params_hash } : valuesOf(facts)),
    'asked by': agentId === null ? requester : `${agentId}, an agent of ${requester}`,
    'asked of': statement.target_duckling_id,
    decided: facts.decidedAt ?? 'by nobody',
    ...(facts.version === 1 ? {} : endOf(facts)),
    'valid until': endOfGrant(facts),
    peck: statement.peck_id,
    passkey: passkeyOf(facts),
    enrolment: facts.version === 1 ? '' : enrolmentOf(facts),
    ...(facts.version === 3 ? ruleOf(facts) : {}),
    ...(facts.version === 3 ? logOf(facts) : {}),
    'signed by': `${facts.issuer} with the key ${facts.kid}`,
    keys: facts.isTrustedKey ? '' : 'from the receipt itself',
  })
}

/** Replaces characters that nobody sees or that control a terminal: a receipt can come from anybody. */
function escaped(texts: Record<string, string>): Record<string, string> {
  const replaced = (text: string) =>
    text.replace(
      /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu,
      (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
  return Object.fromEntries(Object.entries(texts).map(([label, text]) => [label, replaced(text)]))
}

function passkeyOf(facts: ReceiptFacts | OutcomeFacts): string {
  if (facts.passkey === null) return facts.version === 1 ? noEarlierSignature : ''
  // A receipt of version 1 is itself the statement of version 1.
  const version = facts.version === 1 ? 2 : facts.passkey.statementVersion
  return `${facts.passkey.credentialId} ${signedWords[version]}`
}

function endOfGrant(facts: ReceiptFacts | OutcomeFacts): string {
  const isGrant = facts.version === 1 || facts.outcome === 'approved'
  return isGrant ? (facts.grantExpiresAt ?? 'it is revoked') : ''
}

function endOf({ endedAt, uses, lastUsedAt, signedAt }: OutcomeFacts): Record<string, string> {
  return {
    ended: endedAt ?? '',
    used:
      uses === 0
        ? ''
        : `${uses === 1 ? 'once' : `${uses} times`}${lastUsedAt ? `, last at ${lastUsedAt}` : ''}`,
    'as of': signedAt,
  }
}

function valuesOf({ values, statement }: OutcomeFacts): Record<string, string> {
  const { params, hiddenParams, shown } = values
  return {
    for: statement.audience ?? '',
    ...(statement.version === 3 ? termsOf(statement) : {}),
    displayed: shown === null ? '' : shown.sentence,
    params: params.map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', '),
    'hidden params': hiddenParams === 0 ? '' : String(hiddenParams),
  }
}

function termsOf({ challenge, code, approver, test }: DecisionStatement3): Record<string, string> {
  return {
    challenge: challenge ?? '',
    'code typed': code?.typed ?? '',
    'decided on': approver ?? '',
    test: test ? 'yes: this person exists only for tests' : '',
  }
}

function logOf({ logged }: OutcomeFacts): Record<string, string> {
  const text = (event: LoggedFacts | null) => (event === null ? '' : loggedWords[event.state])
  return {
    'decision in the log': text(logged.decided),
    'use in the log': text(logged.used),
    'revocation in the log': text(logged.revoked),
  }
}

/** Returns what a receipt says about the rule that decided. */
function ruleOf({ statement, rule }: OutcomeFacts): Record<string, string> {
  const id = ruleIdIn(statement)
  if (id === null) return {}
  if (rule === null) return { rule: `${id}. ${noRuleText}` }
  return {
    rule: `${id}. ${ruleText} ${withinRuleWords[rule.withinRule]}`,
    'rule in words': rule.sentence,
    'rule signed': `${rule.statement.created_at}, valid until ${rule.statement.expires_at}`,
    'passkey of the rule': rule.passkey.credentialId,
    'enrolment for the rule': withCosignatures(ruleEnrolmentWords[rule.enrolment.state], rule.enrolment),
    budget: budgetText(rule),
  }
}

const enrolmentOf = ({ statement, enrolment }: OutcomeFacts): string =>
  // A rule has an enrolment of its own.
  ruleIdIn(statement) === null ? withCosignatures(enrolmentWords[enrolment.state], enrolment) : ''

function withCosignatures(text: string, enrolment: EnrolmentFacts): string {
  const witnesses = enrolment.cosignatures.map(
    ({ witness, time }) => ` ${witness} cosigned at ${new Date(time * 1000).toISOString()}.`,
  )
  return `${text}${witnesses.join('')}`
}
