'use server'

import { revalidatePath } from 'next/cache'
import { callApi, type Problem } from '@/app/_web/call-api'
import { done, type FormState, field, refused, ticked } from '@/app/_web/form'
import { signInAgain } from '@/app/_web/sign-in-again'
import { POST as deregisterRoute } from '@/app/beak/agent/deregister/route'
import { POST as handshakeRoute } from '@/app/beak/agent/handshake/route'
import { POST as registerRoute } from '@/app/beak/agent/register/route'
import { POST as resumeRoute } from '@/app/beak/agent/resume/route'
import { POST as suspendRoute } from '@/app/beak/agent/suspend/route'
import { POST as updateRoute } from '@/app/beak/agent/update/route'
import { POST as rotateRoute } from '@/app/beak/key/rotate/route'
import { readClock, secondsUntil } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { listWithAnd } from '@/lib/kernel/list-words'
import { restingWords } from './words'

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
  return refused(previous, form, problem)
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
  const result = await callApi(registerRoute, 'POST', {
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
  return done(previous, '', {
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
  const result = await callApi(rotateRoute, 'POST', {
    // What is not a number becomes one that the API refuses.
    body: { agent_id: agentId, expires_in_days: /^\d+$/.test(days) ? Number(days) : 0 },
  })
  if (!result.ok) return refuse(previous, form, inDays(result.problem), pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { data } = result
  return done(previous, '', {
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
  const result = await callApi(handshakeRoute, 'POST', { body: { agent_id: agentId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { handshake_token, handshake_expires_at } = result.data
  return done(previous, '', {
    baseUrl: config().baseUrl,
    agentId,
    agentName: field(form, 'agent_name'),
    ...handshakeOf(handshake_token, handshake_expires_at),
  })
}

export async function updateAgent(previous: FormState, form: FormData): Promise<FormState> {
  const agentId = field(form, 'agent_id')
  const result = await callApi(updateRoute, 'POST', {
    body: {
      agent_id: agentId,
      agent_name: field(form, 'agent_name'),
      allow_query_key: form.has('allow_query_key'),
    },
  })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  return done(previous, 'Saved.')
}

/** Suspends the agent, or resumes it: as the form says, so that a second press does not undo the first. */
export async function pauseAgent(previous: FormState, form: FormData): Promise<FormState> {
  const agentId = field(form, 'agent_id')
  const isSuspending = field(form, 'to') === 'suspended'
  const result = await callApi(isSuspending ? suspendRoute : resumeRoute, 'POST', {
    body: { agent_id: agentId },
  })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { agent_name } = result.data
  return done(previous, isSuspending ? `${agent_name} is suspended.` : `${agent_name} is resumed.`)
}

export async function deregisterAgent(
  previous: FormState<{ farewell: string }>,
  form: FormData,
): Promise<FormState<{ farewell: string }>> {
  const agentId = field(form, 'agent_id')
  const result = await callApi(deregisterRoute, 'POST', { body: { agent_id: agentId } })
  if (!result.ok) return refuse(previous, form, result.problem, pathOf(agentId))
  revalidatePath(pathOf(agentId))
  const { agent_name, cancelled_pecks, revoked_grants, revoked_sso_tokens } = result.data
  const gone = restingWords({
    pecks: cancelled_pecks.length,
    grants: revoked_grants.length,
    ssoTokens: revoked_sso_tokens.length,
  })
  return done(previous, '', {
    farewell: `${agent_name} is deregistered. With it went ${listWithAnd(['its key', ...gone])}.`,
  })
}
