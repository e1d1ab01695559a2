/**
 * The browser's half of the passkey ceremonies. The library behind it is loaded when somebody uses a passkey, so that no page
 * pays for it before. What goes wrong is said in words for people: a closed prompt is no error, only a change of mind.
 */
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'

type CreationOptions = ResponseOf<'POST /beak/passkey/register'>
type RegistrationCredential = BodyOf<'POST /beak/passkey/register/verify'>['credential']
type RequestOptions = ResponseOf<'POST /beak/passkey/challenge'>
type AssertionCredential = BodyOf<'POST /beak/passkey/confirm'>['passkey']

/** Why there is no passkey, in a sentence for people. `isCancelled`: they closed the prompt, or let it run out. */
export class PasskeyTrouble extends Error {
  constructor(
    message: string,
    readonly isCancelled = false,
  ) {
    super(message)
    this.name = 'PasskeyTrouble'
  }
}

const load = () => import('@simplewebauthn/browser')

function insistOnSupport(isSupported: boolean): void {
  if (!isSupported)
    throw new PasskeyTrouble(
      'This browser has no passkeys. Use a newer one, or go on with a code from your e-mail.',
    )
}

/** The name an error was raised under: SimpleWebAuthn wraps the browser's own (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return error.cause instanceof Error ? error.cause.name : error.name
}

function trouble(error: unknown): PasskeyTrouble {
  if (error instanceof PasskeyTrouble) return error
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyTrouble('The passkey prompt was closed. Nothing has happened; try again.', true)
    case 'InvalidStateError':
      return new PasskeyTrouble('This device already holds a passkey of yours.')
    case 'NotSupportedError':
    case 'ConstraintError':
      return new PasskeyTrouble(
        'This authenticator cannot confirm that it is you. Try another one, with a PIN, a finger or a face.',
      )
    case 'SecurityError':
      return new PasskeyTrouble('Passkeys do not work under this address. Open Beak at its own address.')
    default:
      return new PasskeyTrouble('The passkey could not be used. Try again, or try another one.')
  }
}

/** Makes a passkey. Throws `PasskeyTrouble`. */
export async function createPasskey(options: CreationOptions): Promise<RegistrationCredential> {
  const { browserSupportsWebAuthn, startRegistration } = await load()
  insistOnSupport(browserSupportsWebAuthn())
  try {
    return (await startRegistration({
      optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'],
    })) as RegistrationCredential
  } catch (error) {
    throw trouble(error)
  }
}

/**
 * Asks for an assertion. `conditional`: through the browser's autofill, without a prompt of its own; it then waits until the
 * person picks a passkey, another ceremony starts or `cancelPasskeys` is called. Throws `PasskeyTrouble`.
 */
export async function askPasskey(
  options: RequestOptions,
  { conditional = false }: { conditional?: boolean } = {},
): Promise<AssertionCredential> {
  const { browserSupportsWebAuthn, startAuthentication } = await load()
  insistOnSupport(browserSupportsWebAuthn())
  try {
    return (await startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: conditional,
    })) as AssertionCredential
  } catch (error) {
    throw trouble(error)
  }
}

/** Ends a ceremony that is waiting: for when the page goes another way. */
export async function cancelPasskeys(): Promise<void> {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}
