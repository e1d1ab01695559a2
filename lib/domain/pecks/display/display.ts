/**
 * What the decision page shows about a request: one sentence of the service and the params as values. A passkey signs its hash (receipts,
 * version 2), so the same peck must always give the same text. Therefore there are no names of people or agents in it, which may change, no
 * distance to the present, and no `Intl`. The sentence has no words of the asker: the audience is a field of its own.
 * Change `displayVersion` with any change of the words.
 */

import type { ParamTypes } from '@/lib/kernel/param-types'
import { isTestRequest } from '@/lib/kernel/test-request'
import { actionWords } from '@/lib/kernel/text/action-words'
import { duration } from '@/lib/kernel/text/duration'
import type { Params } from '../params'
import type { PeckRow } from '../rows'
import { currencyCode } from './currencies'
import { asksForEmail } from './summary'
import { type DisplayValue, displayValue } from './value'

const displayVersion = 2

export interface Display {
  version: typeof displayVersion
  /** "book a table, once, within 1 hour of the approval". Begins after "wants to". */
  sentence: string
  values: DisplayValue[]
}

export type DisplayColumns = Pick<PeckRow, 'action' | 'scope' | 'params' | 'paramTypes' | 'grantSeconds'>

/** Returns how often and how long an approval allows the action. */
function extentWords({ scope, grantSeconds }: DisplayColumns): string {
  if (grantSeconds === null) return 'any number of times until revoked'
  const lifetime = duration(grantSeconds)
  return scope === 'limited'
    ? `once, within ${lifetime} of the approval`
    : `any number of times for ${lifetime} after the approval`
}

/** Returns the action in words. The service itself acts on the field `email` of a profile, so the sentence names it. */
function wordsOf(peck: DisplayColumns): string {
  return asksForEmail(peck) ? 'read your profile and your email address' : actionWords(peck.action)
}

/** Returns the declared types of a peck. */
export function typesOf({ paramTypes }: Pick<PeckRow, 'paramTypes'>): ParamTypes {
  return paramTypes === null ? {} : (JSON.parse(paramTypes) as ParamTypes)
}

/** Returns the sentence of the decision page about a peck. It needs far less time than the values. */
export function sentenceOf(peck: DisplayColumns): string {
  return `${wordsOf(peck)}, ${isTestRequest(peck) ? 'which permits nothing' : extentWords(peck)}`
}

/** Returns what the decision page shows about a peck. `params`: those of the peck, parsed. */
export function displayOf(peck: DisplayColumns, params = JSON.parse(peck.params) as Params): Display {
  return { version: displayVersion, sentence: sentenceOf(peck), values: displayValues(params, typesOf(peck)) }
}

/** Returns params as the decision page shows them. */
export function displayValues(params: Params, types: ParamTypes): DisplayValue[] {
  const beside = { currency: currencyCode(params.currency), unit: params.unit }
  return Object.entries(params).map(([name, value]) =>
    displayValue(name, value, Object.hasOwn(types, name) ? types[name] : undefined, beside),
  )
}
