/** The people of a test service: made with the commands of the domain, each with a passkey in software. */
import { claimHandle } from '@/lib/domain/identity/claim-handle'
import { signInWithPasskey, startSignIn } from '@/lib/domain/passkeys/sign-in'
import { Authenticator, type SavedAuthenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, anonymously, through } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { Failure, type FailureName } from '@/lib/kernel/request/failures'

/** A person as the data folder keeps them, for a later process. */
export interface SavedPerson {
  id: string
  email: string
  displayName: string
  authenticator: SavedAuthenticator
}

export class TestPerson {
  private constructor(
    private duckling: ADuckling,
    readonly authenticator: Authenticator,
  ) {}

  /** Makes a person at T3 with a passkey. */
  static async create(displayName: string, email: string, handle?: string): Promise<TestPerson> {
    const duckling = await aDuckling({ displayName, email, tier: 'T3' })
    if (handle !== undefined) await claimHandle(await duckling.context(), handle)
    const { authenticator } = await aPasskey(duckling, {
      name: 'Passkey in software',
      authenticator: new Authenticator({ isSynced: true }),
    })
    const person = new TestPerson(duckling, authenticator)
    // The first session began before the address was verified.
    await person.signIn()
    return person
  }

  /** Restores a person of an earlier process, with a new session. */
  static async restore({ authenticator: saved, ...known }: SavedPerson): Promise<TestPerson> {
    const authenticator = new Authenticator({ isSynced: true, saved })
    const noSession = { ...known, token: '', context: () => Promise.reject(new Error('no session')) }
    const person = new TestPerson(noSession, authenticator)
    await person.signIn()
    return person
  }

  get id(): string {
    return this.duckling.id
  }
  get email(): string {
    return this.duckling.email
  }
  get token(): string {
    return this.duckling.token
  }
  /** For the factories of agents. */
  get asDuckling(): ADuckling {
    return this.duckling
  }

  save(): SavedPerson {
    const { id, email, displayName } = this.duckling
    return { id, email, displayName, authenticator: this.authenticator.save() }
  }

  /** Returns a context with this person as the caller. Signs in again when the session has ended, for instance because the clock was moved. */
  async context(): Promise<DucklingContext<FailureName>> {
    try {
      return await this.duckling.context()
    } catch {
      await this.signIn()
      return this.duckling.context()
    }
  }

  /** Signs in with the passkey, which also is the proof that sensitive changes need. */
  async signIn(): Promise<void> {
    const context = anonymously()
    const credential = this.authenticator.get(await startSignIn(context))
    const { token } = await signInWithPasskey(context, credential)
    this.duckling = through(this.duckling, token)
  }
}

/** Whether an error is a refusal with one of these names. */
export function isRefusal(error: unknown, ...names: FailureName[]): boolean {
  return error instanceof Failure && names.includes(error.failure)
}
