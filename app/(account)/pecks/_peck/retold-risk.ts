/**
 * The sentences about a risk and about values, in the language of the page. They are stored with the request, or signed, so the API has them in
 * English. On the server only.
 */
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { durationWords } from '@/lib/kernel/text/duration-words'
import { asItIs, type Form, isInEnglish, rewrite } from '@/lib/kernel/text/retold'
import type { DisplayValue, Peck } from './answers'

type Risk = NonNullable<Peck['risk']>
type Rule = Risk['reasons'][number]['rule'] | Risk['novelty'][number]['rule']

/** An amount as the service writes it. Only the words in it need a translation. */
const amount = (text: string): string =>
  rewrite(text, [{ of: m.risk_no_currency, values: { amount: asItIs } }])
const word = (text: string): string => m.risk_word({ word: text })

const unitSeconds: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

/** "5 minutes". */
function age(text: string): string {
  const [, count = '0', unit = ''] = /^(\d+) ([a-z]+?)s?$/.exec(text) ?? []
  const seconds = unitSeconds[unit]
  return seconds === undefined ? text : durationWords(Number(count) * seconds)
}

/** "23 November", in another year "23 November 2025", and with the day of the week. */
function day(text: string): string {
  const [, weekday, date, year] = /^(?:([A-Z]\w+day) )?(\d{1,2} [A-Z]\w+)(?: (\d{4}))?$/.exec(text) ?? []
  // A leap year has every day.
  const at = date === undefined ? Number.NaN : Date.parse(`${date} ${year ?? '2024'} UTC`)
  if (Number.isNaN(at)) return text
  return new Intl.DateTimeFormat(readersLocale(), {
    ...(weekday === undefined ? {} : { weekday: 'long' }),
    day: 'numeric',
    month: 'long',
    ...(year === undefined ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(at)
}

const known = (text: string): string =>
  rewrite(text, [
    { of: m.risk_whom_you },
    { of: m.risk_whom_your_agent, values: { agent: asItIs } },
    { of: m.risk_whom_agent_on, values: { agent: asItIs, day } },
    { of: m.risk_whom_agent, values: { agent: asItIs } },
    { of: m.risk_whom_person_on, values: { name: asItIs, day } },
    { of: m.risk_whom_person, values: { name: asItIs } },
  ])

const sameName: Form[] = [
  { of: m.risk_same_name, values: { whom: known } },
  { of: m.risk_same_handle, values: { whom: known } },
]
const lookAlike: Form[] = [
  { of: m.risk_person_named_like_agent, values: { whom: known } },
  { of: m.risk_agent_named_like_person, values: { whom: known } },
]

/** The sentences of each rule. The words of the asker in them are quoted, and stay as they are. */
const sentences: Record<Rule, Form[]> = {
  same_name: sameName,
  look_alike: lookAlike,
  hidden_text: [{ of: m.risk_hidden_characters }],
  secret: [
    { of: m.risk_gives_secret, values: { secret: word } },
    { of: m.risk_contains_secret, values: { secret: asItIs } },
    { of: m.risk_holds_keys, values: { place: asItIs } },
    { of: m.risk_looks_for_codes },
  ],
  irreversible: [
    { of: m.risk_detail_destroys, values: { words: asItIs } },
    { of: m.risk_cannot_be_undone, values: { doing: (text) => m.risk_doing({ doing: text }) } },
    { of: m.risk_hard_to_undo, values: { doing: (text) => m.risk_doing({ doing: text }) } },
    { of: m.risk_binds_you },
    { of: m.risk_touches_health },
  ],
  command: [
    { of: m.risk_runs_command },
    { of: m.risk_dangerous_command, values: { command: asItIs } },
    { of: m.risk_detail_does_more, values: { words: asItIs } },
    { of: m.risk_foreign_code },
  ],
  control: [
    { of: m.risk_gives_access },
    { of: m.risk_names_access_right },
    { of: m.risk_rights_of_others, values: { word } },
    { of: m.risk_control_over, values: { word } },
    { of: m.risk_gives_control, values: { word } },
    { of: m.risk_detail_gives_control, values: { words: asItIs } },
    { of: m.risk_opens_to_others },
  ],
  money: [
    { of: m.risk_unclear_ask_them },
    { of: m.risk_unclear_ask_agent },
    { of: m.risk_two_readings_ask_them, values: { larger: amount, smaller: amount } },
    { of: m.risk_two_readings_ask_agent, values: { larger: amount, smaller: amount } },
    { of: m.risk_moves_money },
    { of: m.risk_link_leads_to_payment },
    { of: m.risk_changes_payee },
    { of: m.risk_can_cost_money },
    { of: m.risk_involves_amount, values: { amount } },
  ],
  force: [
    { of: m.risk_switches_off_check, values: { check: word } },
    { of: m.risk_detail_skips_check, values: { words: asItIs } },
    { of: m.risk_weakens_protection },
    { of: m.risk_detail_hides, values: { words: asItIs } },
  ],
  production: [{ of: m.risk_action_names_production }, { of: m.risk_details_mention_production }],
  outward: [
    { of: m.risk_gives_access },
    { of: m.risk_others_may_see },
    { of: m.risk_detail_passes_on, values: { words: asItIs } },
    { of: m.risk_reaches_everybody },
  ],
  standing: [{ of: m.risk_lasts_until_revoked }],
  sensitive: [
    { of: m.risk_shows_email },
    { of: m.risk_reads_private, values: { what: word } },
    { of: m.risk_shows_others_data },
  ],
  unlisted: [{ of: m.risk_may_change }, { of: m.risk_may_show_more }],
  first_time_asker: [{ of: m.risk_new_asker }],
  invited: [{ of: m.risk_invited }],
  first_time_action: [{ of: m.risk_new_action }],
  unlike_earlier: [
    { of: m.risk_other_address },
    { of: m.risk_new_address },
    { of: m.risk_new_details },
    { of: m.risk_amount_last_time, values: { amount } },
  ],
  new_agent: [{ of: m.risk_new_agent, values: { age } }],
  new_key: [{ of: m.risk_new_key, values: { age } }],
  other_agent: [{ of: m.risk_other_agent, values: { whom: known } }],
}

const warnings: Form[] = [
  { of: m.risk_value_hidden },
  { of: m.risk_value_foreign_letters },
  { of: m.risk_value_user_name },
  { of: m.risk_value_unclear },
  { of: m.risk_value_look_alike, values: { letters: asItIs } },
]

const dates: Form[] = [
  { of: m.risk_date_no_zone, values: { date: day, time: asItIs } },
  { of: m.risk_date_in_zone, values: { date: day, time: asItIs, zone: asItIs } },
]

/** Writes the sentence of a rule again, in the current language. */
export const retoldReason = (rule: Rule, text: string): string => rewrite(text, sentences[rule])

/** Writes the words of the service in a value again, in the current language. */
export function retoldValue<Value extends Pick<DisplayValue, 'type' | 'text' | 'warning'>>(
  value: Value,
): Value {
  const { type, text, warning } = value
  return {
    ...value,
    text: type === 'money' ? amount(text) : type === 'date' ? dateText(text) : text,
    ...(warning === undefined ? {} : { warning: rewrite(warning, warnings) }),
  }
}

function dateText(text: string): string {
  const shown = rewrite(text, dates)
  return shown === text ? day(text) : shown
}

/** Returns a value with its words in the language of the page. */
export const valueInPageLanguage = <Value extends Pick<DisplayValue, 'type' | 'text' | 'warning'>>(
  value: Value,
): Value => (isInEnglish() ? value : retoldValue(value))

/** Returns the first line of a request in the language of the page. */
export const lineInPageLanguage = <Line extends { rule: Rule; text: string }>(
  line: Line | null,
): Line | null => line && { ...line, text: retoldReason(line.rule, line.text) }

/** Returns a risk with its sentences in the language of the page. */
export function riskInPageLanguage(risk: Risk): Risk {
  if (isInEnglish()) return risk
  const retold = <Said extends { rule: Rule; text: string }>(said: Said): Said => ({
    ...said,
    text: retoldReason(said.rule, said.text),
  })
  return { ...risk, reasons: risk.reasons.map(retold), novelty: risk.novelty.map(retold) }
}
