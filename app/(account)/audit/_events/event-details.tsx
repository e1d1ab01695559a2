'use client'

// A client component, so that the data of the page has each event once, and not as elements.
import type { ReactNode } from 'react'
import { Facts } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { AuditEvent } from './event-sentence'

/** Everything that is recorded of an event. */
export function EventDetails({ event }: { event: AuditEvent }) {
  return (
    <div className="mt-2 mb-6 ms-2 border-s-2 border-line ps-5 sm:ms-16">
      <Facts facts={factsOf(event)} />
    </div>
  )
}

function factsOf(event: AuditEvent): { name: string; value: ReactNode }[] {
  const { actor, targets, context, metadata } = event
  return [
    codeFact(m.audit_event(), m.audit_event_and_number({ id: event.event_id, seq: event.seq })),
    codeFact(m.audit_type(), event.action),
    codeFact(m.audit_time(), event.occurred_at),
    codeFact(m.audit_actor(), actor.id ? `${actor.type} ${actor.id}` : actor.type),
    ...(targets.length === 0 ? [] : [{ name: m.audit_target(), value: targets.map(targetLine) }]),
    ...optionalFact(m.audit_ip_address(), context.ip),
    ...optionalFact(m.audit_user_agent(), context.user_agent),
    ...optionalFact(m.audit_request_id(), context.request_id),
    ...Object.entries(metadata).map(([name, value]) => codeFact(name, textOf(value))),
    codeFact(m.audit_previous_hash(), event.prev_hash),
    codeFact(m.audit_hash(), event.hash),
  ]
}

const codeFact = (name: string, text: string) => ({ name, value: <Code>{text}</Code> })

const optionalFact = (name: string, text: string | null) => (text === null ? [] : [codeFact(name, text)])

function targetLine({ type, id }: { type: string; id: string }) {
  return (
    <span key={id} className="block">
      <Code>{`${type} ${id}`}</Code>
    </span>
  )
}

function Code({ children }: { children: string }) {
  return (
    <span translate="no" className="font-mono text-xs">
      {children}
    </span>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
