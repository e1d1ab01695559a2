/**
 * Passkeys in the browser. Needs the package `@simplewebauthn/browser`. Every function shows the dialog of the browser, so call it
 * when the person presses a button. It throws `WebAuthnError` of that package when the person cancels or the device cannot.
 *
 * @packageDocumentation
 */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type {
  ApprovePeckInput,
  AssertionCredential,
  Beak,
  CallOptions,
  ConfirmPasskeyOutput,
  ElevateTrustOutput,
  Passkey,
  PasskeyRequestOptions,
  Peck,
  RejectPeckInput,
  SignInWithPasskeyOutput,
} from './index'

/** Creates a passkey on this device and registers it with the account. `name` helps the person to tell passkeys apart. */
export async function registerPasskey(beak: Beak, name?: string, options?: CallOptions): Promise<Passkey> {
  const creation = await beak.startPasskeyRegistration(options)
  const credential = await startRegistration({
    optionsJSON: creation as PublicKeyCredentialCreationOptionsJSON,
  })
  return beak.finishPasskeyRegistration({ credential, name }, options)
}

/** How to sign in with a passkey. */
export interface PasskeySignInOptions extends CallOptions {
  /** Offers the passkeys in the autofill of a field with `autocomplete="username webauthn"`, without a dialog. */
  autofill?: boolean | undefined
  /** Token of an earlier sign-in on this device. */
  device_token?: string | undefined
}

/** Signs in with a passkey that the person chooses. The answer has the session token. */
export async function signInWithPasskey(
  beak: Beak,
  { autofill = false, device_token, ...options }: PasskeySignInOptions = {},
): Promise<SignInWithPasskeyOutput> {
  const request = await beak.startPasskeySignIn(options)
  const credential = await askPasskey(request, autofill)
  return beak.signInWithPasskey({ credential, device_token }, options)
}

/** Confirms the session with a passkey, which sensitive changes need (`E4009`). The confirmation holds for ten minutes. */
export async function confirmWithPasskey(beak: Beak, options?: CallOptions): Promise<ConfirmPasskeyOutput> {
  const request = await beak.requestPasskeyChallenge({ purpose: 'confirm' }, options)
  return beak.confirmPasskey({ passkey: await askPasskey(request) }, options)
}

/** What to approve with a passkey. */
export interface PasskeyApproval extends Omit<ApprovePeckInput, 'passkey'> {
  /**
   * Version of the statement that the passkey signs. `verifyOutcome` proves all of it from version 2 on. Default: 2, and 3 for a request that
   * has `require`, `challenge` or `code_hash`. With 1, a signature proves neither the audience nor what the page displayed.
   */
  statement_version?: 1 | 2 | 3 | undefined
  /** For a request with `code_hash`: the six digits that the person typed. The passkey signs them. */
  code?: string | undefined
}

/** Approves a peck with a passkey. The passkey signs the statement of the peck, so the receipt proves what was approved. */
export async function approveWithPasskey(
  beak: Beak,
  { statement_version, code, ...input }: PasskeyApproval,
  options?: CallOptions,
): Promise<Peck> {
  const request = await beak.requestPasskeyChallenge(
    {
      purpose: 'approve',
      peck_id: input.peck_id,
      ...(statement_version === undefined ? {} : { statement_version }),
      ...(code === undefined ? {} : { code }),
    },
    options,
  )
  return beak.approvePeck({ ...input, passkey: await askPasskey(request) }, options)
}

/** Rejects a peck with a passkey, so that `verifyOutcome` proves who rejected what. */
export async function rejectWithPasskey(
  beak: Beak,
  input: Omit<RejectPeckInput, 'passkey'>,
  options?: CallOptions,
): Promise<Peck> {
  const request = await beak.requestPasskeyChallenge({ purpose: 'reject', peck_id: input.peck_id }, options)
  return beak.rejectPeck({ ...input, passkey: await askPasskey(request) }, options)
}

/** Raises the account from trust tier T2 to T3 with a passkey. */
export async function elevateWithPasskey(beak: Beak, options?: CallOptions): Promise<ElevateTrustOutput> {
  const request = await beak.requestPasskeyChallenge({ purpose: 'elevate' }, options)
  return beak.elevateTrust({ passkey: await askPasskey(request) }, options)
}

async function askPasskey(request: PasskeyRequestOptions, autofill = false): Promise<AssertionCredential> {
  return startAuthentication({
    optionsJSON: request as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
  })
}
