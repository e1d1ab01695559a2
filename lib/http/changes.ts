/**
 * Which operations change something that outlives the session, silences a warning or speaks for the person (contract F, Sensitive changes).
 * Each operation that changes something is here or among the harmless ones of `proof.test.ts`, which fails for one that is in neither.
 */

/** Why a change needs a recent proof of the owner. */
type Why = 'outlives the session' | 'silences a warning' | 'speaks for the person'

export interface SensitiveChange {
  why: Why
  /** `always`: the core asks for the proof. Otherwise the command asks for it, in the case that the text names. */
  when: 'always' | (string & {})
}

/** By the name of the operation. */
export const sensitiveChanges: Readonly<Record<string, SensitiveChange>> = {
  registerAgent: {
    why: 'outlives the session',
    when: 'always, except that a session of the device flow prepares an agent',
  },
  allowConsent: { why: 'outlives the session', when: 'always, and never for a session of the device flow' },
  signInAtSite: { why: 'speaks for the person', when: 'always, and never for a session of the device flow' },
  registerSite: { why: 'outlives the session', when: 'always, and never for a session of the device flow' },
  updateSite: { why: 'outlives the session', when: 'always, and never for a session of the device flow' },
  deleteSite: { why: 'outlives the session', when: 'always, and never for a session of the device flow' },
  createHandshake: { why: 'outlives the session', when: 'for an agent that another session registered' },
  updateAgent: {
    why: 'outlives the session',
    when: 'when the agent may do more, or its key is allowed in addresses',
  },
  changeGuard: {
    why: 'silences a warning',
    when: 'when alarms are switched off; a session of the device flow cannot end an alarm either',
  },
  resumeAgent: { why: 'outlives the session', when: 'always' },
  rotateKey: { why: 'outlives the session', when: 'always' },
  createWebhook: {
    why: 'outlives the session',
    when: 'always, except that a session of the device flow prepares an endpoint',
  },
  updateWebhook: { why: 'silences a warning', when: 'always' },
  deleteWebhook: {
    why: 'silences a warning',
    when: 'for an endpoint that another session created or changed',
  },
  rotateWebhookSecret: { why: 'silences a warning', when: 'always' },
  addChannel: { why: 'outlives the session', when: 'always' },
  updateChannel: { why: 'silences a warning', when: 'always' },
  removeChannel: {
    why: 'silences a warning',
    when: 'for mail, and for a channel that another session added',
  },
  updateNotifications: { why: 'silences a warning', when: 'always' },
  revokeSession: {
    why: 'silences a warning',
    when: 'when a session ends that signed in with a passkey, or when a session of the device flow ends another one',
  },
  issueSsoToken: {
    why: 'speaks for the person',
    when: 'at the first token of a session for a domain',
  },
  approveDevice: { why: 'speaks for the person', when: 'always' },
  denyDevice: { why: 'speaks for the person', when: 'always' },
  viewDevice: { why: 'speaks for the person', when: 'always' },
  approvePeck: { why: 'speaks for the person', when: 'by the risk of the peck' },
  decidePecks: { why: 'speaks for the person', when: 'by the risk of each peck' },
  updateProfile: {
    why: 'silences a warning',
    when: 'when passkeys are no longer required, the lowest tier of askers is lowered, or a name changes, which speaks for the person',
  },
  updateRule: {
    why: 'speaks for the person',
    when: 'without a signature, for a rule that rejects or asks, and for one that approves instead of another rule',
  },
  pauseRule: {
    why: 'speaks for the person',
    when: 'for a rule that rejects or asks, and for one that approves instead of another rule. Never for all rules',
  },
  endRule: {
    why: 'speaks for the person',
    when: 'for a rule that rejects or asks, and for one that approves instead of another rule',
  },
  resumeRule: { why: 'speaks for the person', when: 'with all rules. One rule needs a signature over it' },
  setAgentBudget: {
    why: 'speaks for the person',
    when: 'when it allows more than before, with a passkey',
  },
  unblockDuckling: { why: 'speaks for the person', when: 'for a block of another session' },
  liftPause: { why: 'speaks for the person', when: 'when another session rejected' },
  createInvitation: {
    why: 'silences a warning',
    when: 'when the account accepts only askers of T2 or T3',
  },
  updateContact: {
    why: 'silences a warning',
    when: 'when an asker may always reach an account that accepts only askers of T2 or T3',
  },
  changeName: { why: 'speaks for the person', when: 'always' },
  undoNameChange: { why: 'speaks for the person', when: 'always' },
  claimHandle: { why: 'speaks for the person', when: 'always' },
  releaseHandle: { why: 'outlives the session', when: 'always' },
  changeEmail: { why: 'outlives the session', when: 'always' },
  elevateTrust: { why: 'outlives the session', when: 'for a new or changed phone number' },
  startPasskeyRegistration: { why: 'outlives the session', when: 'always' },
  finishPasskeyRegistration: { why: 'outlives the session', when: 'always' },
  startApproverEnrolment: { why: 'outlives the session', when: 'always' },
  finishApproverEnrolment: { why: 'outlives the session', when: 'always' },
  removeApprover: { why: 'silences a warning', when: 'always' },
  removePasskey: { why: 'silences a warning', when: 'always' },
  recoverPasskeys: {
    why: 'outlives the session',
    when: 'a sign-in with a code, and a day in which it can be cancelled',
  },
  closeAccount: { why: 'outlives the session', when: 'always' },
}

/** Whether the core asks for a recent proof before it runs the operation. */
export const alwaysNeedsProof = (operationId: string): boolean =>
  Object.hasOwn(sensitiveChanges, operationId) && sensitiveChanges[operationId]?.when === 'always'
