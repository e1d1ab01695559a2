/**
 * Offline verification: certificates, receipts, tokens and logs of a Beak service, in browsers and Node. Every check fails closed: what cannot
 * be checked is not valid.
 */

export type { Fetch } from '../options'
export { type AgentFacts, type AgentTokenOptions, verifyAgentToken } from './agent-token'
export type { ChainEvent, Fault } from './audit/chain'
export type { KeptHead, SignedHead } from './audit/signed-head'
export { type AuditExportOptions, type AuditExportReport, verifyAuditExport } from './audit-export'
export {
  type CertificateFacts,
  type CertificateOptions,
  type CertificateReason,
  verifyCertificate,
} from './certificate'
export { exactJson } from './exact-numbers'
export { type GrantFacts, inspectGrantToken } from './grant-token'
export type { FoundKey, KeySet, KeySource } from './keys'
export type { ReadLogFile } from './log/authenticated-tiles'
export type { OwnLog } from './log/check-entry'
export type { Coverage } from './log/check-heads'
export type { ComparedEvent } from './log/check-own-entries'
export {
  type CheckpointFork,
  type CheckpointStore,
  memoryCheckpoints,
  type RememberedCheckpoint,
} from './log/checkpoint-store'
export { type KeptProof, readKeptProof } from './log/kept-proof'
export type { LogFault } from './log/log-fault'
export type { Note, SignatureLine } from './log/note'
export type { GoodCosignature, SignedCheckpoint } from './log/open-checkpoint'
export {
  type LogPolicy,
  type PolicyLog,
  type PolicyWitness,
  parseLogPolicy,
} from './log/policy-file'
export type { LogQuorum } from './log/quorum'
export type { VerifierKey } from './log/verifier-key'
export type { LogReport } from './log/verify-log'
export {
  type LogProofFacts,
  type LogProofOptions,
  type LogProofReason,
  verifyLogProof,
} from './log-proof'
export { areApprovedParams } from './params'
export {
  type OutcomePolicy,
  outcomePolicy,
  verifyOutcome,
  verifyReceipt,
} from './receipt'
export type { OutcomeVerdict, ReceiptPolicy } from './receipts/check-policy'
export { contradictionBetween } from './receipts/contradiction'
export type { DecisionStatement } from './receipts/decision-statement'
export { enrolmentWords } from './receipts/describe'
export type { Pin } from './receipts/endorsement'
export type { EnrolmentFacts } from './receipts/enrolment'
export type { LoggedFacts, LoggedOutcome } from './receipts/logged'
export { type Outcome, outcomeWords } from './receipts/outcome'
export type { Shown } from './receipts/outcome-schema'
export type { AnyFacts, Expectation, PolicyFault, PolicyReason, Requirement } from './receipts/policy'
export { type ReceiptFault, type ReceiptPart, receiptParts } from './receipts/refusal'
export type { RuleFacts } from './receipts/rule'
export type { SigningPasskey } from './receipts/signing-passkey'
export type { ApprovalStatement } from './receipts/statement-text'
export type { DisclosedValues } from './receipts/values'
export type { ReceiptFacts, ReceiptVerdict } from './receipts/verify'
export type { OutcomeFacts } from './receipts/verify-outcome'
export { type RemoteKeysOptions, remoteKeys } from './remote-keys'
export type { Rule } from './rules/rule'
export type { RuleSpent, RuleStatement } from './rules/statement'
export type { TokenReason, Verdict, VerifyOptions } from './token'
export {
  type TransparencyLogOptions,
  type TransparencyLogReport,
  verifyTransparencyLog,
} from './transparency-log'
