/**
 * Which operations change something that outlives the session, silences a warning or speaks for the person (contract F, Sensitive changes).
 * Each operation that changes something is in one of the two tables, and a test fails for one that is in neither.
 */

/** Why a change needs a recent proof of the owner. */
type Why = 'outlives the session' | 'silences a warning' | 'speaks for the person'

interface SensitiveChange {
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
  createHandshake: { why: 'outlives the session', when: 'for an agent that another session registered' },
  updateAgent: { why: 'outlives the session', when: 'when the key is allowed in addresses' },
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
  updateNotifications: { why: 'silences a warning', when: 'always' },
  revokeSession: {
    why: 'silences a warning',
    when: 'when a session ends that signed in with a passkey, or when a session of the device flow ends another one',
  },
  issueSsoToken: {
    why: 'speaks for the person',
    when: 'with a session, at the first token for a domain and then every 30 days',
  },
  approveDevice: { why: 'speaks for the person', when: 'always' },
  denyDevice: { why: 'speaks for the person', when: 'always' },
  viewDevice: { why: 'speaks for the person', when: 'always' },
  approvePeck: { why: 'speaks for the person', when: 'by the risk of the peck' },
  decidePecks: { why: 'speaks for the person', when: 'by the risk of each peck' },
  updateProfile: {
    why: 'silences a warning',
    when: 'when passkeys are no longer required, or the lowest tier of askers is lowered',
  },
  changeEmail: { why: 'outlives the session', when: 'always' },
  elevateTrust: { why: 'outlives the session', when: 'for a new or changed phone number' },
  startPasskeyRegistration: { why: 'outlives the session', when: 'always' },
  finishPasskeyRegistration: { why: 'outlives the session', when: 'always' },
  removePasskey: { why: 'silences a warning', when: 'always' },
  recoverPasskeys: {
    why: 'outlives the session',
    when: 'a sign-in with a code, and a day in which it can be cancelled',
  },
  closeAccount: { why: 'outlives the session', when: 'always' },
}

/** Operations that need no recent proof, by their names, with the reason. */
export const harmlessChanges: Readonly<Record<string, string>> = {
  signUp: 'makes an account',
  verifyEmail: 'needs the code of the mailbox',
  resendVerificationCode: 'sends a code to the own address',
  undoEmailChange: 'needs the link of the old mailbox',
  signIn: 'is the proof',
  requestSignInCode: 'sends a code to the own address',
  startPasskeySignIn: 'gives a challenge',
  signInWithPasskey: 'is the proof',
  requestPasskeyChallenge: 'gives a challenge',
  confirmPasskey: 'is the proof',
  cancelPasskeyRecovery: 'keeps what is there',
  signOut: 'ends the own session',
  authorizeDevice: 'waits for a person who decides',
  redeemDeviceCode: 'follows the decision of a person',
  changeName: 'is shown to everybody, and possible once in 30 days',
  issueCertificate: 'says what is true already',
  revokeCertificate: 'takes away, is announced by mail, and a new certificate can be issued at once',
  bondAgent: 'needs the key of the agent and the handshake token of its owner',
  issueAgentToken: 'needs the key of the agent',
  suspendAgent: 'takes away, and can be undone',
  deregisterAgent: 'takes away',
  requestPeck: 'asks a person who decides',
  cancelPeck: 'takes away',
  rejectPeck: 'gives nothing',
  revokeGrant: 'takes away',
  revokeAllGrants: 'takes away',
  consumeGrant: 'needs the grant token',
  blockDuckling: 'hides requests that nobody has to answer, and can be undone',
  unblockDuckling: 'shows requests again',
  shareReceipt: 'shows what was decided, without secrets, and can be undone',
  unshareReceipt: 'takes away',
  bridgeSsoToken: 'needs the token',
  verifySsoToken: 'reads',
  testWebhook: 'sends an example to an endpoint of the owner',
  redeliverMessage: 'sends again what the endpoint of the owner was sent',
  subscribe: 'needs the link of the mailbox',
  confirmSubscription: 'needs the link of the mailbox',
  unsubscribe: 'needs the link of the mailbox',
  contactSupport: 'sends a mail to the operator',
  recordPageview: 'counts',
}

/** Whether the core asks for a recent proof before it runs the operation. */
export const alwaysNeedsProof = (operationId: string): boolean =>
  Object.hasOwn(sensitiveChanges, operationId) && sensitiveChanges[operationId]?.when === 'always'
