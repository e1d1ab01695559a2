/**
 * Offline verification: certificates, receipts, tokens and logs of a Beak service, in browsers and Node. Every check fails closed: what cannot
 * be checked is not valid.
 */

export { type AgentFacts, type AgentTokenOptions, verifyAgentToken } from '@beak/proofs/agent-token'
export type { ChainEvent, Fault } from '@beak/proofs/audit/chain'
export type { KeptHead, SignedHead } from '@beak/proofs/audit/signed-head'
export { type AuditExportOptions, type AuditExportReport, verifyAuditExport } from '@beak/proofs/audit-export'
export {
  type CertificateFacts,
  type CertificateOptions,
  type CertificateReason,
  verifyCertificate,
} from '@beak/proofs/certificate'
export { exactJson } from '@beak/proofs/exact-numbers'
export type { Fetch } from '@beak/proofs/fetch-text'
export { type GrantFacts, inspectGrantToken } from '@beak/proofs/grant-token'
export type { FoundKey, KeySet, KeySource } from '@beak/proofs/keys'
export type { ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
export type { OwnLog } from '@beak/proofs/log/check-entry'
export type { Coverage } from '@beak/proofs/log/check-heads'
export type { ComparedEvent } from '@beak/proofs/log/check-own-entries'
export {
  type CheckpointFork,
  type CheckpointStore,
  memoryCheckpoints,
  type RememberedCheckpoint,
} from '@beak/proofs/log/checkpoint-store'
export { type KeptProof, readKeptProof } from '@beak/proofs/log/kept-proof'
export type { LogFault } from '@beak/proofs/log/log-fault'
export type { Note, SignatureLine } from '@beak/proofs/log/note'
export type { GoodCosignature, SignedCheckpoint } from '@beak/proofs/log/open-checkpoint'
export {
  type LogPolicy,
  type PolicyLog,
  type PolicyWitness,
  parseLogPolicy,
} from '@beak/proofs/log/policy-file'
export type { LogQuorum } from '@beak/proofs/log/quorum'
export type { VerifierKey } from '@beak/proofs/log/verifier-key'
export type { LogReport } from '@beak/proofs/log/verify-log'
export {
  type LogProofFacts,
  type LogProofOptions,
  type LogProofReason,
  verifyLogProof,
} from '@beak/proofs/log-proof'
export { areApprovedParams } from '@beak/proofs/params'
export {
  type OutcomePolicy,
  outcomePolicy,
  verifyOutcome,
  verifyReceipt,
} from '@beak/proofs/receipt'
export type { OutcomeVerdict, ReceiptPolicy } from '@beak/proofs/receipts/check-policy'
export { contradictionBetween } from '@beak/proofs/receipts/contradiction'
export type { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
export { enrolmentWords } from '@beak/proofs/receipts/describe'
export type { Pin, SigningPasskey } from '@beak/proofs/receipts/endorsement'
export type { EnrolmentFacts } from '@beak/proofs/receipts/enrolment'
export type { LoggedFacts, LoggedOutcome } from '@beak/proofs/receipts/logged'
export { type Outcome, outcomeWords } from '@beak/proofs/receipts/outcome'
export type { Shown } from '@beak/proofs/receipts/outcome-schema'
export type {
  AnyFacts,
  Expectation,
  PolicyFault,
  PolicyReason,
  Requirement,
} from '@beak/proofs/receipts/policy'
export { type ReceiptFault, type ReceiptPart, receiptParts } from '@beak/proofs/receipts/refusal'
export type { RuleFacts } from '@beak/proofs/receipts/rule'
export type { ApprovalStatement } from '@beak/proofs/receipts/statement-text'
export type { DisclosedValues } from '@beak/proofs/receipts/values'
export type { ReceiptFacts, ReceiptVerdict } from '@beak/proofs/receipts/verify'
export type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
export { type RemoteKeysOptions, remoteKeys } from '@beak/proofs/remote-keys'
export type { Rule, RuleSpent, RuleStatement } from '@beak/proofs/rules/rule'
export type { TokenReason, Verdict, VerifyOptions } from '@beak/proofs/token'
export {
  type TransparencyLogOptions,
  type TransparencyLogReport,
  verifyTransparencyLog,
} from '@beak/proofs/transparency-log'
