/** Checks what the passkey would sign, and makes the sentence and the values from it. */

import { actionForm } from '@beak/decision/action-form'
import { type Display, displayOf } from '@beak/decision/display/display'
import { sortDisplay } from '@beak/decision/display/sort'
import { type ParamTypes, paramTypes } from '@beak/decision/param-types'
import { type Risk, riskOf } from '@beak/decision/risk/rules'
import { hiddenSecret, hideSecrets } from '@beak/decision/secret-values'
import { canonicalText } from '@beak/proofs/canonical'
import { DecisionStatement3 } from '@beak/proofs/receipts/decision-statement'
import type { ReceiptValues, Shown } from '@beak/proofs/receipts/outcome-schema'
import { Refusal } from '@beak/proofs/receipts/refusal'
import { checkValues, type DisclosedValues } from '@beak/proofs/receipts/values'
import { Refused } from './refused'

export type Params = Record<string, unknown>

/** A statement that this page may sign. */
export type Statement = DecisionStatement3 & { decision: 'approve' | 'reject' }

/** What a statement must be about. */
interface Expected {
  issuer: string
  /** Origin of this page. */
  approver: string
  now: Date
}

/** Reads a statement of version 3 with exactly its members, in canonical JSON. Throws `Refused`. */
export function readStatement(text: string): DecisionStatement3 {
  const value = parse(text)
  if (value === null || canonical(value) !== text) throw new Refused('statement')
  if ((value as { version?: unknown }).version !== 3) throw new Refused('statement_version')
  const { data } = DecisionStatement3.safeParse(value)
  if (data === undefined) throw new Refused('statement')
  return data
}

/** Checks that a statement is of this service, for this page, and can still be decided. Throws `Refused`. */
export function checkStatement(statement: DecisionStatement3, expected: Expected): Statement {
  const { decision, decided_by, code } = statement
  if (statement.issuer !== expected.issuer) throw new Refused('other_issuer')
  if (statement.approver !== expected.approver) throw new Refused('other_approver')
  if (decision === null || decided_by?.type !== 'person') throw new Refused('undecided')
  if (decision === 'reject' && code !== null && code.typed !== null) throw new Refused('statement')
  if (!actionForm.test(statement.action)) throw new Refused('action')
  if (Date.parse(statement.expires_at) <= expected.now.getTime()) throw new Refused('expired')
  return { ...statement, decision }
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Returns the canonical JSON, or null for what has none, such as half a character. */
function canonical(value: unknown): string | null {
  try {
    return canonicalText(value)
  } catch {
    return null
  }
}

/** Checks that the values are exactly those of the statement. Throws `Refused`. */
export function readValues(
  values: Required<ReceiptValues>,
  statement: Statement,
): { params: Params; shown: Shown } {
  const { params, hiddenParams, shown } = check(values, statement)
  if (hiddenParams > 0 || shown === null) throw new Refused('params_missing')
  return { params: Object.fromEntries(params.map(({ name, value }) => [name, value])), shown }
}

function check(values: Required<ReceiptValues>, statement: Statement): DisclosedValues {
  try {
    return checkValues(values, statement)
  } catch (error) {
    throw error instanceof Refusal ? new Refused('values_differ') : error
  }
}

/** What the service displayed instead. `name`: of the value. Null: it is about the whole display. */
interface Difference {
  name: string | null
  text: string
}

/** A statement with what a person reads about it. */
export interface Request {
  statement: Statement
  params: Params
  /** Made here, in the order of the service. */
  display: ReturnType<typeof sortDisplay>
  risk: Risk
  /** What the service says that it displayed instead of what this page displays. */
  differs: Difference[]
  /** The message of the requester, which the service passed on. */
  message: string | null
}

/**
 * Makes what a person reads. The statement does not have the types that the requester declared, so the types that the service displayed count
 * when they lead to exactly its display. A type only changes how a value looks.
 */
export function requestOf(statement: Statement, params: Params, shown: Shown): Request {
  const { action, scope, grant_seconds: grantSeconds } = statement
  const make = (types: ParamTypes | null) =>
    displayOf({
      action,
      scope,
      grantSeconds,
      params: canonicalText(params),
      paramTypes: types === null ? null : JSON.stringify(types),
    })
  const declared = make(typesIn(shown))
  const isSame = canonicalText({ ...declared, message: shown.message }) === canonicalText(shown)
  const display = isSame ? declared : make(null)
  return {
    statement,
    params,
    display: sortDisplay(display, { action, params }),
    risk: riskOf({
      action,
      scope,
      params,
      isOwn: statement.requester.duckling_id === statement.target_duckling_id,
      history: null,
    }),
    differs: isSame ? [] : differencesOf(shown, display),
    message: shown.message,
  }
}

/** Returns what the service displayed instead of this display, without secrets. */
function differencesOf(shown: Shown, display: Display): Difference[] {
  const own = new Map(display.values.map((value) => [value.name, value]))
  const left = new Set(own.keys())
  const values = shown.values.flatMap(({ name, text, warning }) => {
    const made = left.delete(name) ? own.get(name) : undefined
    if (made?.text === text && made.warning === warning) return []
    return [{ name, text: made?.type === 'secret' ? hiddenSecret : hideSecrets(text, name) }]
  })
  const found = [
    ...(shown.sentence === display.sentence ? [] : [{ name: null, text: shown.sentence }]),
    ...values,
    ...[...left].map((name) => ({ name, text: 'not displayed' })),
  ]
  return found.length > 0 ? found : [{ name: null, text: 'the same texts in another form or order' }]
}

/** Returns the types that the service displayed. */
function typesIn({ values }: Shown): ParamTypes {
  return Object.fromEntries(
    values.flatMap(({ name, type }) => {
      const declared = paramTypes.find((known) => known === type)
      return declared === undefined ? [] : [[name, declared]]
    }),
  )
}
