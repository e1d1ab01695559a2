/**
 * Every kind of event: whether it is sent as a webhook (contract C), and which public counts (spec, metrics) it changes. The audit log
 * records all kinds.
 */

export const counts = [
  'registered_ducklings',
  'certified',
  'bonded_agents',
  'domains',
  'completed_pecks',
] as const
export type CountName = (typeof counts)[number]

interface Kind {
  webhook?: true
  counts?: Partial<Record<CountName, number>>
}

const kinds = {
  'duckling.registered': { counts: { registered_ducklings: 1 } },
  'duckling.verified': {},
  'duckling.updated': {},
  'duckling.renamed': {},
  'duckling.email_changed': {},
  'duckling.email_restored': {},
  'duckling.phone_changed': {},
  'duckling.closed': { counts: { registered_ducklings: -1 } },
  'duckling.exported': {},
  'account.reclaimed': {},
  'egg.laid': {},
  'code.requested': {},
  'code.sent': {},
  'session.started': {},
  'session.ended': {},
  'session.revoked': {},
  'passkey.challenged': {},
  'passkey.registered': {},
  'passkey.removed': {},
  'passkey.confirmed': {},
  'passkey.recovery_started': { webhook: true },
  'passkey.recovery_cancelled': { webhook: true },
  'passkey.recovered': { webhook: true },
  'trust.challenged': {},
  'trust.elevated': { webhook: true },
  'trust.lowered': { webhook: true },
  'cert.issued': { webhook: true },
  'cert.superseded': {},
  'cert.resigned': {},
  'cert.revoked': { webhook: true },
  'agent.registered': { webhook: true },
  'agent.updated': {},
  'agent.bonded': { webhook: true },
  'agent.suspended': { webhook: true },
  'agent.resumed': {},
  'agent.deregistered': { webhook: true },
  'agent.handshake_made': {},
  'agent.token_issued': {},
  'key.rotated': { webhook: true },
  'key.refused': {},
  'peck.sent': { webhook: true },
  'peck.approved': { webhook: true, counts: { completed_pecks: 1 } },
  'peck.rejected': { webhook: true, counts: { completed_pecks: 1 } },
  'peck.expired': { webhook: true },
  'peck.cancelled': {},
  'peck.consumed': { webhook: true },
  'peck.revoked': {},
  'peck.blocked': {},
  'peck.unblocked': {},
  'sso.issued': {},
  'sso.bridged': {},
  'webhook.created': {},
  'webhook.updated': {},
  'webhook.deleted': {},
  'webhook.tested': {},
  'webhook.rotated': {},
  'webhook.redelivered': {},
  'webhook.disabled': {},
} satisfies Record<string, Kind>

export type EventKind = keyof typeof kinds
export const eventKinds: Record<EventKind, Kind> = kinds

/** The kinds that a webhook endpoint can subscribe to, as in the contract. */
export const webhookKinds = [
  ...(Object.keys(kinds) as EventKind[]).filter((kind) => eventKinds[kind].webhook),
  'webhook.test',
] as const
