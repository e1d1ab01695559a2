'use server'

import { formAction, type Outcome } from '@/app/_web/form-action'
import type { Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field, ticked } from '@/components/ui/form-state'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock, secondsUntil } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { type ProgramId, programOf } from './programs'
import { dependentWords } from './words'

export interface Handshake {
  token: string
  expiresAt: string
  /** Seconds until it expires, counted when it was issued. */
  seconds: number
}

/** The secrets that an agent just got. Only this answer contains them. */
export interface Issued {
  baseUrl: string
  agentId: string
  agentName: string
  beakKey?: string
  keyExpiresAt?: string
  handshake?: Handshake
  /** The program that the owner chose. */
  program?: ProgramId
}

const pageOf = (form: FormData) => `/agents/manage/${field(form, 'agent_id')}`
const agentId = (form: FormData) => ({ agent_id: field(form, 'agent_id') })

/** What a form already knows about its agent. */
const agentIn = (form: FormData) => ({
  baseUrl: config().baseUrl,
  agentId: field(form, 'agent_id'),
  agentName: field(form, 'agent_name'),
})

function handshakeOf(token: string | undefined, expiresAt: string | undefined): { handshake?: Handshake } {
  if (token === undefined || expiresAt === undefined) return {}
  return { handshake: { token, expiresAt, seconds: secondsUntil(new Date(expiresAt), readClock()) } }
}

export const registerAgent = formAction({
  call: 'POST /beak/agent/register',
  input: (form) => {
    const other = field(form, 'own')
      .split(/[\s,]+/)
      .filter(Boolean)
    const program = programOf(field(form, 'program'))
    return {
      agent_name: field(form, 'agent_name') || program.defaultName(),
      agent_type: field(form, 'agent_type') || program.type,
      capabilities: [...new Set([...ticked(form, 'capabilities'), ...other])],
      allow_query_key: form.has('allow_query_key'),
    }
  },
  page: '/agents/new/key',
  refusal: atOtherCapabilities,
  done: (data, form): Outcome<Issued> => ({
    data: {
      baseUrl: config().baseUrl,
      agentId: data.agent_id,
      program: programOf(field(form, 'program')).id,
      agentName: data.agent_name,
      beakKey: data.beak_key,
      keyExpiresAt: data.key_expires_at,
      ...handshakeOf(data.handshake_token, data.handshake_expires_at),
    },
  }),
})

/** Moves errors of single capabilities to the text field: the check boxes offer only valid ones. */
function atOtherCapabilities(problem: Problem): Problem {
  const errors = problem.errors?.map(({ field: name, message }) =>
    name.startsWith('capabilities.')
      ? { field: 'own', message: m.agents_each_capability_fault({ message }) }
      : { field: name, message },
  )
  return errors ? { ...problem, errors } : problem
}

export const rotateKey = formAction({
  call: 'POST /beak/key/rotate',
  input: (form) => {
    const days = field(form, 'expires_in_days')
    // The API refuses 0, so text that is not a number is refused too.
    return { ...agentId(form), expires_in_days: /^\d+$/.test(days) ? Number(days) : 0 }
  },
  page: pageOf,
  refusal: atDays,
  done: (data, form): Outcome<Issued> => ({
    data: {
      ...agentIn(form),
      beakKey: data.beak_key,
      keyExpiresAt: data.expires_at,
      ...handshakeOf(data.handshake_token, data.handshake_expires_at),
    },
  }),
})

/** Makes a key for an agent that waits to be connected, on the device where its program is. */
export const makeKey = formAction({
  call: 'POST /beak/key/rotate',
  input: agentId,
  page: (form) => `${pageOf(form)}/connect`,
  done: (data, form): Outcome<Issued> => ({
    data: {
      ...agentIn(form),
      program: programOf(field(form, 'program')).id,
      beakKey: data.beak_key,
      keyExpiresAt: data.expires_at,
      ...handshakeOf(data.handshake_token, data.handshake_expires_at),
    },
  }),
})

export const sendTestRequest = formAction({
  call: 'POST /beak/agent/test-request',
  input: agentId,
  page: pageOf,
  done: ({ peck_id }): Outcome<{ peckId: string }> => ({ data: { peckId: peck_id } }),
})

function atDays(problem: Problem): Problem {
  if (!problem.errors?.some(({ field: name }) => name === 'expires_in_days')) return problem
  return {
    ...problem,
    errors: [{ field: 'expires_in_days', message: m.agents_key_days_error() }],
  }
}

export const renewHandshake = formAction({
  call: 'POST /beak/agent/handshake',
  input: agentId,
  page: pageOf,
  done: (data, form): Outcome<Issued> => ({
    data: { ...agentIn(form), ...handshakeOf(data.handshake_token, data.handshake_expires_at) },
  }),
})

/** Changes what the form names in `change`, and leaves everything else as it is. */
export const changeAgent = formAction({
  call: 'POST /beak/agent/update',
  input: (form) => ({ ...agentId(form), ...changeIn(form) }),
  page: pageOf,
  get done() {
    return m.agents_saved()
  },
})

function changeIn(form: FormData): Omit<BodyOf<'POST /beak/agent/update'>, 'agent_id'> {
  switch (field(form, 'change')) {
    case 'scopes':
      return { scopes: ticked(form, 'scopes') as BodyOf<'POST /beak/agent/update'>['scopes'] }
    case 'asks_others':
      return { asks_others: form.has('asks_others') }
    case 'allow_query_key':
      return { allow_query_key: form.has('allow_query_key') }
    default:
      return { agent_name: field(form, 'agent_name') }
  }
}

export const changeGuard = formAction({
  call: 'POST /beak/agent/guard',
  input: (form) => ({
    ...agentId(form),
    change: field(form, 'change') as BodyOf<'POST /beak/agent/guard'>['change'],
  }),
  page: pageOf,
  get done() {
    return m.agents_saved()
  },
})

/** Suspends or resumes the agent, as the form says, so that a second press does not undo the first. */
export const setSuspended = formAction({
  call: (form) =>
    field(form, 'to') === 'suspended' ? 'POST /beak/agent/suspend' : 'POST /beak/agent/resume',
  input: agentId,
  page: pageOf,
  done: ({ agent_name, status }) =>
    status === 'suspended'
      ? keptText(m.agents_is_suspended, { agent_name })
      : keptText(m.agents_is_resumed, { agent_name }),
})

export const deregisterAgent = formAction({
  call: 'POST /beak/agent/deregister',
  input: agentId,
  page: pageOf,
  done: ({ agent_name, cancelled_pecks, revoked_grants, revoked_sso_tokens, ended_rules }) => {
    const ended = dependentWords({
      pending_pecks: cancelled_pecks.length,
      active_grants: revoked_grants.length,
      sso_tokens: revoked_sso_tokens.length,
      rules: ended_rules.length,
    })
    return keptText(m.agents_is_deregistered_ended, {
      agent_name,
      ended: listWithAnd([m.agents_its_key(), ...ended]),
    })
  },
})
