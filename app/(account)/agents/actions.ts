'use server'

import { revalidatePath } from 'next/cache'
import { api } from '@/app/_web/api'
import { type FormState, field, invalid, succeeded, ticked } from '@/app/_web/form'
import type { Problem } from '@/app/_web/problem'
import { signInAgain } from '@/app/_web/sign-in-again'
import { readClock, secondsUntil } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { listWithAnd } from '@/lib/kernel/list-words'
import { dependentWords } from './words'

export interface Handshake {
  token: string
  expiresAt: string
  /** Seconds it still holds, when it was given. */
  seconds: number
}

/** What an agent was just given: these answers are the only place its secrets appear in. */
export interface Issued {
  baseUrl: string
  agentId: string
  agentName: string
  beakKey?: string
  keyExpiresAt?: string
  handshake?: Handshake
}

const pathOf = (agentId: string) => `/agents/manage/${agentId}`

/** A refusal; the page is made anew, since what it shows of the agent may be what is wrong. */
async function refuse<T>(
  previous: FormState<T>,
  form: FormData,
  problem: Problem,
  path: string,
): Promise<FormState<T>> {
  await signInAgain(problem, path)
  if (problem.status === 409) revalidatePath(path)
  return invalid(previous, form, problem)
}

function handshakeOf(token: string | undefined, expiresAt: string | undefined): { handshake?: Handshake } {
  if (token === undefined || expiresAt === undefined) return {}
  return { handshake: { token, expiresAt, seconds: secondsUntil(new Date(expiresAt), readClock()) } }
}

export async function registerAgent(previous: FormState<Issued>, form: FormData): Promise<FormState<Issued>> {
  const path = '/agents/new'
  const own = field(form, 'own')
    .split(/[\s,]+/)
    .filter(Boolean)
  const result = await api('POST /beak/agent/register', {
    body: {
      agent_name: field(form, 'agent_name'),
      agent_type: field(form, 'agent_type'),
      capabilities: [...new Set([...ticked(form, 'capabilities'), ...own])],
      allow_query_key: form.has('allow_query_key'),
    },
  })
  if (!result.ok) return refuse(previous, form, besideOwn(result.problem), path)
  revalidatePath(path)
  const { data } = result
  return succeeded(previous, '', {
    baseUrl: config().baseUrl,
    agentId: data.agent_id,
    agentName: data.agent_name,
    beakKey: data.beak_key,
    keyExpiresAt: data.key_expires_at,
    ...handshakeOf(data.handshake_token, data.handshake_expires_at),
  })
}

/** What is wrong with one capability is wrong with what was typed: the boxes hold good ones. */
function besideOwn(problem: Problem): Problem {
  const errors = problem.errors?.map(({ field: name, message }) =>
    name.startsWith('capabilities.')
      ? { field: 'own', message: `Each ${message}` }
      : { field: name, message },
  )
  return errors ? { ...problem, errors } : problem
}

export async function rotateKey(previous: FormState<Issued>, form: FormData): Promise<FormState<Issued>> {
  const agentId = field(form, 'agent_id')
  const days = field(form, 'expires_in_days')
  const result = await api('POST /beak/key/rotate', {
    // What is not a number becomes one that the API refuses.
    body: { agent_id: agentId, expires_in_days: /^\d+$/.test(days) ? Number(days) : 0 },
  })
  if (!result.ok) return refuse(previous, form, inDays(result.problem), pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { data } = result
  return succeeded(previous, '', {
    baseUrl: config().baseUrl,
    agentId,
    agentName: field(form, 'agent_name'),
    beakKey: data.beak_key,
    keyExpiresAt: data.expires_at,
    ...handshakeOf(data.handshake_token, data.handshake_expires_at),
  })
}

function inDays(problem: Problem): Problem {
  if (!problem.errors?.some(({ field: name }) => name === 'expires_in_days')) return problem
  return { ...problem, errors: [{ field: 'expires_in_days', message: 'A whole number from 1 to 365' }] }
}

export async function renewHandshake(
  previous: FormState<Issued>,
  form: FormData,
): Promise<FormState<Issued>> {
  const agentId = field(form, 'agent_id')
  const result = await api('POST /beak/agent/handshake', { body: { agent_id: agentId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { handshake_token, handshake_expires_at } = result.data
  return succeeded(previous, '', {
    baseUrl: config().baseUrl,
    agentId,
    agentName: field(form, 'agent_name'),
    ...handshakeOf(handshake_token, handshake_expires_at),
  })
}

export async function updateAgent(previous: FormState, form: FormData): Promise<FormState> {
  const agentId = field(form, 'agent_id')
  const result = await api('POST /beak/agent/update', {
    body: {
      agent_id: agentId,
      agent_name: field(form, 'agent_name'),
      allow_query_key: form.has('allow_query_key'),
    },
  })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  return succeeded(previous, 'Saved.')
}

/** Suspends the agent, or resumes it: as the form says, so that a second press does not undo the first. */
export async function pauseAgent(previous: FormState, form: FormData): Promise<FormState> {
  const agentId = field(form, 'agent_id')
  const isSuspending = field(form, 'to') === 'suspended'
  const result = await api(isSuspending ? 'POST /beak/agent/suspend' : 'POST /beak/agent/resume', {
    body: { agent_id: agentId },
  })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { agent_name } = result.data
  return succeeded(previous, isSuspending ? `${agent_name} is suspended.` : `${agent_name} is resumed.`)
}

export async function deregisterAgent(
  previous: FormState<{ farewell: string }>,
  form: FormData,
): Promise<FormState<{ farewell: string }>> {
  const agentId = field(form, 'agent_id')
  const result = await api('POST /beak/agent/deregister', { body: { agent_id: agentId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { agent_name, cancelled_pecks, revoked_grants, revoked_sso_tokens } = result.data
  const gone = dependentWords({
    pending_pecks: cancelled_pecks.length,
    active_grants: revoked_grants.length,
    sso_tokens: revoked_sso_tokens.length,
  })
  return succeeded(previous, '', {
    farewell: `${agent_name} is deregistered. With it went ${listWithAnd(['its key', ...gone])}.`,
  })
}
