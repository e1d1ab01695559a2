/** The special words, each with one line of help. People meet at most seven of them. The others belong to those who build or host. */
import { m } from '@/lib/kernel/messages'

interface HardWord {
  /** As it stands in a sentence. */
  name: () => string
  question: () => string
  line: () => string
  /** The page that says more. */
  href: string
}

/** The words of /docs/people/words. Everybody gets along with the first three. */
export const peopleWords = {
  request: {
    name: m.word_request,
    question: m.word_request_question,
    line: m.word_request_line,
    href: '/docs/people/answer-requests',
  },
  allowed: {
    name: m.word_allowed,
    question: m.word_allowed_question,
    line: m.word_allowed_line,
    href: '/docs/people/rules',
  },
  certificate: {
    name: m.word_certificate,
    question: m.word_certificate_question,
    line: m.word_certificate_line,
    href: '/docs/people/certificate',
  },
  agent: {
    name: m.word_agent,
    question: m.word_agent_question,
    line: m.word_agent_line,
    href: '/docs/people/connect',
  },
  rule: {
    name: m.word_rule,
    question: m.word_rule_question,
    line: m.word_rule_line,
    href: '/docs/people/rules',
  },
  passkey: {
    name: m.word_passkey,
    question: m.word_passkey_question,
    line: m.word_passkey_line,
    href: '/docs/people/start#add-a-passkey',
  },
  receipt: {
    name: m.word_receipt,
    question: m.word_receipt_question,
    line: m.word_receipt_line,
    href: '/receipts',
  },
} as const satisfies Record<string, HardWord>

/** The words of /docs/words-for-builders. */
export const builderWords = {
  duckling: {
    name: m.word_duckling,
    question: m.word_duckling_question,
    line: m.word_duckling_line,
    href: '/docs/concepts/identity',
  },
  peck: {
    name: m.word_peck,
    question: m.word_peck_question,
    line: m.word_peck_line,
    href: '/docs/concepts/requests',
  },
  bond: {
    name: m.word_bond,
    question: m.word_bond_question,
    line: m.word_bond_line,
    href: '/docs/concepts/agents#register-and-bond',
  },
  beak_key: {
    name: m.word_beak_key,
    question: m.word_beak_key_question,
    line: m.word_beak_key_line,
    href: '/docs/concepts/agents#the-key',
  },
  capability: {
    name: m.word_capability,
    question: m.word_capability_question,
    line: m.word_capability_line,
    href: '/docs/concepts/agents#what-an-agent-may-do',
  },
  permission: {
    name: m.word_permission,
    question: m.word_permission_question,
    line: m.word_permission_line,
    href: '/docs/concepts/requests',
  },
  standing: {
    name: m.word_standing,
    question: m.word_standing_question,
    line: m.word_standing_line,
    href: '/docs/concepts/requests#the-grant-token',
  },
  statement: {
    name: m.word_statement,
    question: m.word_statement_question,
    line: m.word_statement_line,
    href: '/docs/concepts/requests#the-sentence',
  },
  approver: {
    name: m.word_approver,
    question: m.word_approver_question,
    line: m.word_approver_line,
    href: '/docs/approver',
  },
  audit_log: {
    name: m.word_audit_log,
    question: m.word_audit_log_question,
    line: m.word_audit_log_line,
    href: '/docs/concepts/evidence#the-audit-log',
  },
  public_log: {
    name: m.word_public_log,
    question: m.word_public_log_question,
    line: m.word_public_log_line,
    href: '/docs/concepts/evidence#the-public-log',
  },
  witness: {
    name: m.word_witness,
    question: m.word_witness_question,
    line: m.word_witness_line,
    href: '/docs/sites/check-it-yourself#what-to-download-and-what-to-keep',
  },
  session: {
    name: m.word_session,
    question: m.word_session_question,
    line: m.word_session_line,
    href: '/docs/people/stay-safe',
  },
  webhook: {
    name: m.word_webhook,
    question: m.word_webhook_question,
    line: m.word_webhook_line,
    href: '/docs/webhooks',
  },
  tier: {
    name: m.word_tier,
    question: m.word_tier_question,
    line: m.word_tier_line,
    href: '/docs/concepts/identity#trust-tiers',
  },
} as const satisfies Record<string, HardWord>

export const hardWords = { ...peopleWords, ...builderWords }

export type HardWordName = keyof typeof hardWords
