'use server'

import { redirect } from 'next/navigation'
import { parseAssertion } from '@/app/_passkeys/ceremony'
import { api } from '@/app/_web/api'
import { formAction } from '@/app/_web/form-action'
import { fieldProblem } from '@/app/_web/problem'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { undoneMessage } from '../pecks/_decision/outcome'
import { jsonField } from '../pecks/_peck/json-field'
import { budgetIn } from './_rule/draft'
import type { SentRule } from './_rule/reads'

const ruleOf = (form: FormData) => jsonField(form, 'rule') as SentRule
const ruleId = (form: FormData) => ({ rule_id: field(form, 'rule_id') })
const ownPage = (form: FormData) => `/rules/${field(form, 'rule_id')}`
/** The header of every page has the switch for all rules. */
const everywhere = ['/*']

/**
 * Makes a rule that the passkey has signed. Then approves the request that it was made from, as the button of the request does: a rule answers
 * only requests that come after it.
 */
export const signRule = formAction({
  call: 'POST /beak/rule/create',
  input: (form) => ({ rule: ruleOf(form), passkey: parseAssertion(field(form, 'passkey')) }),
  page: (form) => {
    const peck = field(form, 'peck_id')
    return peck === '' ? '/rules/new' : `/rules/new?peck=${peck}`
  },
  changes: everywhere,
  done: async ({ rule_id: id }, form) => {
    const peck_id = field(form, 'peck_id')
    if (peck_id === '') redirect(`/rules/${id}?made=1`)
    const approved = await api('POST /beak/peck/approve', { body: { peck_id } })
    return redirect(`/rules/${id}?made=1&request=${approved.ok ? 'approved' : 'open'}`)
  },
})

/** Changes a rule: with the signature of a passkey, or without one when it only becomes narrower. */
export const changeRule = formAction({
  call: 'POST /beak/rule/update',
  input: (form) => {
    const passkey = field(form, 'passkey')
    return {
      ...ruleId(form),
      rule: ruleOf(form),
      ...(passkey === '' ? {} : { passkey: parseAssertion(passkey) }),
    }
  },
  page: ownPage,
  changes: everywhere,
  done: ({ rule_id: id }) => redirect(`/rules/${id}?changed=1`),
})

export const pauseRule = formAction({
  call: 'POST /beak/rule/pause',
  input: ruleId,
  page: ownPage,
  changes: everywhere,
  done: () => m.rules_paused_done(),
})

export const resumeRule = formAction({
  call: 'POST /beak/rule/resume',
  input: (form) => ({ ...ruleId(form), passkey: parseAssertion(field(form, 'passkey')) }),
  page: ownPage,
  changes: everywhere,
  done: () => m.rules_resumed_done(),
})

export const endRule = formAction({
  call: 'POST /beak/rule/end',
  input: ruleId,
  page: ownPage,
  changes: everywhere,
  done: () => m.rules_ended_done(),
})

/** Asks for a passkey that confirms the session, because the rules then answer again. */
export const resumeAllRules = formAction({
  call: 'POST /beak/rule/resume',
  input: () => ({ all: true as const }),
  page: '/allowed',
  changes: everywhere,
  done: () => m.rules_all_resumed_done(),
})

/** Revokes the permission that a rule gave. Says whether it was used. */
export const undoAnswer = formAction({
  call: 'POST /beak/peck/revoke',
  input: (form) => ({ peck_id: field(form, 'peck_id') }),
  page: '/rules/answers',
  changes: everywhere,
  done: ({ uses }) => undoneMessage(uses),
})

export const setAgentBudget = formAction({
  call: 'POST /beak/rule/budget',
  input: (form) => {
    const budget = budgetIn({
      amount: field(form, 'amount'),
      per: field(form, 'per'),
      uses: '',
      usesEach: field(form, 'uses_each'),
    })
    if (budget === undefined) return fieldProblem('amount', m.rules_budget_needs_limit())
    return { agent_id: field(form, 'agent_id'), budget }
  },
  page: '/allowed',
  changes: everywhere,
  refusal: (problem) => ({
    ...problem,
    ...(problem.errors === undefined
      ? {}
      : {
          errors: problem.errors.map((error) => ({ ...error, field: error.field.replace(/^budget\./, '') })),
        }),
  }),
  done: () => m.rules_budget_saved(),
})

export const removeAgentBudget = formAction({
  call: 'POST /beak/rule/budget',
  input: (form) => ({ agent_id: field(form, 'agent_id'), budget: null }),
  page: '/allowed',
  changes: everywhere,
  done: () => m.rules_budget_removed(),
})
