/** Rules that answer requests. What needs a passkey is done on the page, where the passkey is. */
import { base64url, bytesOfText } from '@beak/proofs/bytes'
import type { PresentedRule } from '../../generated/schemas'
import type { RehearseRuleInput } from '../../generated/types'
import { command } from '../command'
import { timeText } from '../duration'
import { usageFault } from '../exit'
import { readJson } from '../files'
import { openBrowser } from '../open-browser'
import { limitOf, listOptions, readItems } from '../pages'
import type { Session } from '../session'

const ruleFile = {
  name: 'file',
  summary: 'The rule as JSON, as POST /beak/rule/create takes it; - for standard input.',
} as const
const ruleArg = { name: 'rule_id', summary: 'The rule, from "beak rule list".' } as const

/** Opens a page of the service in the browser of a person who sits at a terminal, and prints its address. */
async function goTo(session: Session, page: string): Promise<void> {
  session.output.note(`Sign with your passkey in your browser: ${page}`)
  if (process.stdin.isTTY) await openBrowser(page, session.env)
}

async function readRule(file: string): Promise<RehearseRuleInput['rule']> {
  const rule = await readJson(file)
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw usageFault('The rule is not a JSON object.')
  // The service checks the form.
  return rule as RehearseRuleInput['rule']
}

function leftText({ left: { uses, uses_each, amount }, rule }: PresentedRule): string {
  const each = rule.budget?.per === undefined ? '' : ` this ${rule.budget.per}`
  return [
    ...(amount === null ? [] : [`${amount}${each}`]),
    ...(uses_each === null ? [] : [`${uses_each} uses${each}`]),
    ...(uses === null ? [] : [`${uses} uses`]),
  ].join(', ')
}

function show({ output }: Session, rule: PresentedRule): void {
  output.facts(rule, rule.sentence, {
    id: rule.rule_id,
    status: rule.reason === null ? rule.status : `${rule.status} (${rule.reason})`,
    'uses so far': String(rule.used.uses),
    left: leftText(rule),
    until: timeText(rule.expires_at),
    'last used': timeText(rule.last_used_at) || 'never',
  })
}

export const ruleList = command({
  name: 'rule list',
  summary: 'List your rules.',
  options: listOptions,
  async run({ options, session }) {
    const beak = await session.beak('listRules')
    const rules = await readItems<PresentedRule>(limitOf(options.limit), options.cursor, (query) =>
      beak.listRules(query),
    )
    session.output.list(
      rules,
      {
        id: ({ rule_id }) => rule_id,
        status: ({ status }) => status,
        left: leftText,
        rule: ({ sentence }) => sentence,
      },
      'You have no rules. Make one with: beak rule create <file>',
    )
  },
})

export const ruleView = command({
  name: 'rule view',
  summary: 'Show a rule, and what is left of it.',
  args: [ruleArg],
  async run({ args: [rule_id = ''], session }) {
    show(session, await (await session.beak('viewRule')).viewRule({ rule_id }))
  },
})

export const ruleRehearse = command({
  name: 'rule rehearse',
  summary: 'Show what a rule would have answered in the last 30 days.',
  details: 'Changes nothing.',
  args: [ruleFile],
  async run({ args: [file = ''], session }) {
    const rule = await readRule(file)
    const rehearsal = await (await session.beak('rehearseRule')).rehearseRule({ rule })
    const { asked, answered, amount, sentence, days } = rehearsal
    session.output.facts(rehearsal, sentence, {
      'would have answered': `${answered} of ${asked} requests in ${days} days`,
      amount: amount ?? '',
      'not answered': rehearsal.others
        .slice(0, 5)
        .map(({ peck_id, why }) => `${peck_id} (${why.map(({ why: name }) => name).join(', ')})`)
        .join('; '),
    })
  },
})

export const ruleCreate = command({
  name: 'rule create',
  summary: 'Open the page where your passkey signs a new rule.',
  args: [ruleFile],
  async run({ args: [file = ''], session }) {
    const rule = await readRule(file)
    const beak = await session.beak('rehearseRule')
    const { sentence } = await beak.rehearseRule({ rule })
    const text = base64url(bytesOfText(JSON.stringify(rule)))
    session.output.note(sentence)
    await goTo(session, `${beak.url}/rules/new?rule=${text}`)
  },
})

export const rulePause = command({
  name: 'rule pause',
  summary: 'Pause a rule, or everything at once.',
  args: [{ ...ruleArg, optional: true }],
  options: {
    all: { type: 'boolean', summary: 'Everything that may happen without asking, until you resume.' },
  },
  async run({ args: [rule_id], options, session }) {
    if (options.all === (rule_id !== undefined)) throw usageFault('Name either a rule or --all.')
    const beak = await session.beak('pauseRule')
    const paused = await beak.pauseRule(rule_id === undefined ? { all: true } : { rule_id })
    if ('rule_id' in paused) show(session, paused)
    else session.output.facts(paused, 'Everything is paused', {})
  },
})

export const ruleResume = command({
  name: 'rule resume',
  summary: 'Open the page where your passkey resumes a rule, or everything.',
  args: [{ ...ruleArg, optional: true }],
  async run({ args: [rule_id], session }) {
    const beak = await session.beak('viewRule')
    if (rule_id !== undefined) await beak.viewRule({ rule_id })
    await goTo(
      session,
      `${beak.url}${rule_id === undefined ? '/allowed' : `/rules/${encodeURIComponent(rule_id)}`}`,
    )
  },
})

export const ruleEnd = command({
  name: 'rule end',
  summary: 'End a rule for good, and leave the permissions that it gave.',
  args: [ruleArg],
  async run({ args: [rule_id = ''], session }) {
    show(session, await (await session.beak('endRule')).endRule({ rule_id }))
  },
})
