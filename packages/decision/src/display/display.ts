/**
 * What the decision page shows about a request: one sentence of the service and the params as values. A passkey signs its hash (receipts,
 * version 2), so the same peck must always give the same text. Therefore there are no names of people or agents in it, which may change, no
 * distance to the present, and no `Intl`. The sentence has no words of the asker: the audience is a field of its own.
 * Change `displayVersion` with any change of the words.
 */

import { listedWords } from '../action-words'
import { askedAction, extentOf } from '../asked'
import { duration } from '../duration'
import { isFreeText } from '../free-text'
import type { ParamTypes } from '../param-types'
import type { Params } from '../params'
import { isolated } from '../person-name'
import { wantsEmail } from '../profile-request'
import { quoted } from '../quote'
import { isTestRequest } from '../test-request'
import { besideOf, type DisplayValue, displayValue } from './value'

const displayVersion = 3

export interface Display {
  version: typeof displayVersion
  /** "book a table, once, within 1 hour of the approval". Begins after "wants to". */
  sentence: string
  values: DisplayValue[]
}

/** A request, as a peck stores it. */
export interface DisplayColumns {
  action: string
  scope: 'limited' | 'timed' | 'standing'
  /** As JSON. */
  params: string
  /** As JSON. Null: the asker declared none. */
  paramTypes: string | null
  /** Null: the permission lasts until it is revoked. */
  grantSeconds: number | null
}

/** A request with its people and the time until which it can be answered. */
interface PeckColumns extends DisplayColumns {
  requesterDucklingId: string
  requesterName: string
  requesterFullName: string | null
  requesterTier: string
  /** Null: a person asks without an agent. */
  agentName: string | null
  targetDucklingId: string
  targetName: string
  targetFullName: string | null
  expiresAt: Date
}

/** Returns how often and how long an approval allows the action. */
function extentWords({ action, scope, grantSeconds }: DisplayColumns): string {
  const { extent, seconds } = extentOf({ action, scope, grantSeconds })
  if (extent === 'test') return 'which permits nothing'
  if (extent === 'favour') return 'which needs an answer and permits nothing'
  if (seconds === null) return 'any number of times until revoked'
  const lifetime = duration(seconds)
  return extent === 'once'
    ? `once, within ${lifetime} of the approval`
    : `any number of times for ${lifetime} after the approval`
}

/** Returns an action in words: "book a table". One that the service has no words for is in quotation marks: "“frobnicate:pond”". */
export function actionWords(action: string, params: Params = {}): string {
  const asked = askedAction(action, params)
  switch (asked.kind) {
    case 'profile':
      return 'read your profile'
    case 'email':
      return 'read your profile and your email address'
    case 'test':
      return 'send you a test request'
    case 'favour':
      return 'ask you a favour'
    case 'listed':
      return listedWords(asked)
    case 'unlisted':
      return `“${action}”`
  }
}

/** Returns the declared types of a peck. */
export function typesOf({ paramTypes }: Pick<DisplayColumns, 'paramTypes'>): ParamTypes {
  return paramTypes === null ? {} : (JSON.parse(paramTypes) as ParamTypes)
}

/** Returns the sentence of the decision page about a peck. It needs far less time than the values. */
export function sentenceOf(peck: DisplayColumns): string {
  return `${actionWords(peck.action, profileParams(peck))}, ${extentWords(peck)}`
}

/** Returns what the decision page shows about a peck. `params`: those of the peck, parsed. */
export function displayOf(peck: DisplayColumns, params = JSON.parse(peck.params) as Params): Display {
  return { version: displayVersion, sentence: sentenceOf(peck), values: displayValues(params, typesOf(peck)) }
}

/** Returns params as the decision page shows them. */
export function displayValues(params: Params, types: ParamTypes): DisplayValue[] {
  const beside = besideOf(params)
  return Object.entries(params).map(([name, value]) =>
    displayValue(name, value, Object.hasOwn(types, name) ? types[name] : undefined, beside),
  )
}

/** Returns the params of a request for a profile, and none of any other: reading them takes time, and no words depend on them. */
const profileParams = ({ action, params }: Pick<DisplayColumns, 'action' | 'params'>): Params =>
  action === 'read:profile' ? (JSON.parse(params) as Params) : {}

/** Whether a peck asks for the email address of its target. */
export const asksForEmail = (peck: Pick<DisplayColumns, 'action' | 'params'>): boolean =>
  wantsEmail(peck.action, profileParams(peck))

/** Writes the asker. The operator chooses the name of an agent freely, so it stands in quotes, without characters that could close them. */
function describeAsker(peck: PeckColumns): string {
  const person = `${isolated(peck.requesterFullName ?? peck.requesterName)} (tier ${peck.requesterTier})`
  return peck.agentName === null ? person : `Agent ${quoted(peck.agentName)} of ${person}`
}

function describeTarget(peck: PeckColumns): string {
  const person = isolated(peck.targetFullName ?? peck.targetName)
  return peck.requesterDucklingId === peck.targetDucklingId ? `its own operator ${person}` : person
}

function describeAction(peck: PeckColumns): string {
  const words = peck.action.replace(':', ' ')
  if (peck.action === 'read:profile') return `${words}${asksForEmail(peck) ? ' with the email address' : ''}`
  return peck.params === '{}' ? words : `${words} with the parameters shown`
}

function describeExtent(peck: PeckColumns): string {
  const isRevocable = peck.scope === 'standing' && peck.grantSeconds !== null
  return isRevocable ? `${extentWords(peck)}, unless revoked before` : extentWords(peck)
}

/** Returns one sentence: who asks whom, for what, how often and how long, and until when the target can answer. */
export function summarize(peck: PeckColumns): string {
  const until = `${peck.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (isTestRequest(peck.action))
    return `A test that Beak sends for ${describeAsker(peck)}, because its operator asked for it. An approval permits nothing; to be answered by ${until}.`
  if (isFreeText(peck.action))
    return `${describeAsker(peck)} asks ${describeTarget(peck)} a favour in the words shown. An approval is an answer and permits nothing; to be answered by ${until}.`
  return `${describeAsker(peck)} asks ${describeTarget(peck)} for permission to ${describeAction(peck)}, ${describeExtent(peck)}; to be answered by ${until}.`
}
