/**
 * The passkey ceremonies in the browser. The library is loaded only when somebody uses a passkey. Errors carry messages for
 * people.
 */

import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'

type CreationOptions = ResponseOf<'POST /beak/passkey/register'>
type RegistrationCredential = BodyOf<'POST /beak/passkey/register/verify'>['credential']
type RequestOptions = ResponseOf<'POST /beak/passkey/challenge'>
type AssertionCredential = BodyOf<'POST /beak/passkey/confirm'>['passkey']

/** A failed ceremony, with a message for the person. `isCancelled`: the person closed the prompt, or it timed out. */
export class PasskeyError extends Error {
  constructor(
    message: string,
    readonly isCancelled = false,
  ) {
    super(message)
    this.name = 'PasskeyError'
  }
}

const load = () => import('@simplewebauthn/browser')

function requireSupport(isSupported: boolean): void {
  if (!isSupported)
    throw new PasskeyError(
      "This browser doesn't support passkeys. Use a newer browser, or sign in with a code by email.",
    )
}

/** Returns the name of the browser's error, which SimpleWebAuthn wraps (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? error.cause.name : error.name
}

function toPasskeyError(error: unknown): PasskeyError {
  if (error instanceof PasskeyError) return error
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyError('The passkey prompt was closed. Nothing was changed. Try again.', true)
    case 'InvalidStateError':
      return new PasskeyError('You already have a passkey on this device.')
    case 'NotSupportedError':
    case 'ConstraintError':
      return new PasskeyError(
        "This passkey can't verify that it's you. Try another one that uses a PIN, a fingerprint or your face.",
      )
    case 'SecurityError':
      return new PasskeyError("Passkeys don't work at this address. Open Beak at its own address.")
    default:
      return new PasskeyError("That passkey didn't work. Try again, or use another one.")
  }
}

/** Creates a passkey. Throws `PasskeyError`. */
export async function createPasskey(options: CreationOptions): Promise<RegistrationCredential> {
  const { browserSupportsWebAuthn, startRegistration } = await load()
  requireSupport(browserSupportsWebAuthn())
  try {
    return (await startRegistration({
      optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'],
    })) as RegistrationCredential
  } catch (error) {
    throw toPasskeyError(error)
  }
}

/**
 * Asks for an assertion. With `conditional`, the browser offers passkeys in its autofill instead of a prompt. It then waits until the
 * person picks a passkey, another ceremony starts or `cancelPasskeys` is called. Throws `PasskeyError`.
 */
export async function askPasskey(
  options: RequestOptions,
  { conditional = false }: { conditional?: boolean } = {},
): Promise<AssertionCredential> {
  const { browserSupportsWebAuthn, startAuthentication } = await load()
  requireSupport(browserSupportsWebAuthn())
  try {
    return (await startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: conditional,
    })) as AssertionCredential
  } catch (error) {
    throw toPasskeyError(error)
  }
}

/** Cancels the ceremony that is waiting, if any. */
export async function cancelPasskeys(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}

type Assertion = BodyOf<'POST /beak/passkey/confirm'>['passkey']

/** Returns the assertion in a field of a form. Text that is not JSON becomes an empty assertion, which the API refuses. */
export function parseAssertion(text: string): Assertion {
  try {
    return JSON.parse(text) as Assertion
  } catch {
    return {} as Assertion
  }
}
