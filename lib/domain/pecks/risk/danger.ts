/** A danger of a request, and its sentences. */

import type { RiskReason } from './levels'
import { theirs } from './theirs'

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
  text: (found: string) => string
}

export const danger = (
  rule: Danger['rule'],
  level: Danger['level'],
  text: Danger['text'],
  rest: Pick<Danger, 'action' | 'lines' | 'when'>,
): Danger => ({ rule, level, text, ...rest })

export const high = 'high' as const
export const passesOn = (name: string) => `${theirs(name)} passes something on to somebody else.`
export const runsBesides = (name: string) => `${theirs(name)} does more than the request says.`
export const bindsYou = () => 'It binds you by a contract, or changes one.'
export const opensToOthers = () => 'It opens an account, a device or data to others.'
export const weakensProtection = () => 'It switches off something that protects you.'
export const changesPayee = () => 'It changes where money goes.'
export const foreignCode = () => 'It brings in code, or changes what runs by itself.'
export const codes = () => 'It looks for codes or papers that open an account.'
export const health = () => 'It changes something about your health.'
export const everybody = () => 'It reaches many people at once.'
export const destroys = (name: string) => `${theirs(name)} destroys something. That can't be undone.`
