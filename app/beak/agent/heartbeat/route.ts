import { takeHeartbeat } from '@/lib/domain/agents/guard'
import { Guard, Heartbeat } from '@/lib/domain/agents/guard-schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'sendHeartbeat',
  summary: 'Say that a coding agent asks before it acts',
  description:
    'Called by the guard that `beak connect` gives to Claude Code and Codex: when a session starts, once an hour while it acts, and when the guard is disconnected or switched off. It gives the agent no right. Its owner sees it, and is told when the agent works without it.',
  remarks: [
    'The first heartbeat makes the agent a guarded one. The rules of the alarm stand in the contract (Guarded coding agents).',
  ],
  auth: 'bonded-key',
  limit: 'authenticated',
  headers: { 'X-Beak-Key': "The agent's beak key" },
  body: Heartbeat,
  response: Guard,
  failures: ['agent_not_bonded'],
  attempt: 'agent.guarded',
  handle: (context, { body }) => takeHeartbeat(context, body),
})
