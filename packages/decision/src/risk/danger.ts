/** A danger of a request, and its sentences. */

import { say, type Wording } from '../wording'
import type { RiskReason } from './levels'
import { shortWords } from './values'

/** What the patterns know of an action. */
export interface Acted {
  /** The action without accents, its words separated by blanks: "update smoke detector". */
  words: string
  /** The same with the first word of the object before the verb: `contacts:search` is "search contacts". */
  turned: string
  isReading: boolean
  isOutward: boolean
  isOwn: boolean
  /** Whether verb and object are known to be harmless. */
  isKnown: boolean
}

export interface Danger {
  rule: RiskReason['rule']
  level: RiskReason['level']
  /** In the words of the action. Absent: any action. */
  action?: RegExp
  /** In the lines of the content. Absent: any content. */
  lines?: RegExp
  when?: (acted: Acted) => boolean
  /** `found`: the words of the action, the name of the param, or for secrets what was found. `line`: the whole line of the content. */
  wording: (found: string, line: string) => Wording
}

export const danger = (
  rule: Danger['rule'],
  level: Danger['level'],
  wording: Danger['wording'],
  rest: Pick<Danger, 'action' | 'lines' | 'when'>,
): Danger => ({ rule, level, wording, ...rest })

export const high = 'high' as const
export const passesOn = (name: string) => say('detail_passes_on', { words: shortWords(name) })

const papers = /[\w.-]*(bank[-_]?details|bankverbindung|contracts?|passport|payslip|lohnabrechnung)[\w.-]*/

/** Says which paper of a person is passed on. Of the line only the name of the file, which is one word, is quoted. */
export function passesPaperOn(name: string, line: string): Wording {
  const [file = '', paper = ''] = papers.exec(line.slice(line.indexOf('=') + 1)) ?? []
  const words = shortWords(file)
  if (paper === '') return passesOn(name)
  if (paper === 'passport') return say('sends_passport', { words })
  if (paper.startsWith('contract')) return say('sends_contracts', { words })
  return paper.startsWith('bank') ? say('sends_bank_details', { words }) : say('sends_payslip', { words })
}
export const runsBesides = (name: string) => say('detail_does_more', { words: shortWords(name) })
export const bindsYou = () => say('binds_you')
export const opensToOthers = () => say('opens_to_others')
export const weakensProtection = () => say('weakens_protection')
export const changesPayee = () => say('changes_payee')
export const foreignCode = () => say('foreign_code')
export const codes = () => say('looks_for_codes')
export const health = () => say('touches_health')
export const everybody = () => say('reaches_everybody')
export const destroys = (name: string) => say('detail_destroys', { words: shortWords(name) })
