/** An agent that asks and a person who decides, on a real service. */
import { Beak, type Peck } from '@beak/client'
import { expect } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import type { Authenticator } from '@/lib/factories/authenticator'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'

export interface People {
  /** The `duckling_id` of the person. */
  target: string
  /** The name of the person. */
  name: string
  /** The client of the person. */
  person: Beak
  /** The client of the agent. */
  beak: Beak
  /** The beak key of the agent. */
  key: string
  /** Returns how many requests of the agent wait for an answer. */
  openRequests(): number
  /** Approves the next request as soon as there is one. */
  approve(): Promise<Peck>
  /** Approves the next request with a passkey as soon as there is one. */
  sign(): Promise<Peck>
  /** Rejects the next request as soon as there is one. */
  reject(reason: string): Promise<Peck>
}

export async function somePeople(url: string): Promise<People> {
  const target = await aDuckling()
  const agent = await anAgent(target)
  const person = new Beak({ url, token: target.token })
  const pendingPeck = async () => {
    const find = async () => (await person.listPecks({ status: 'pending' })).items[0]?.peck_id
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    return (await find()) ?? ''
  }
  let passkey: Authenticator | undefined
  let open = 0
  const counting = (input: string, init: RequestInit) => {
    open++
    return fetch(input, init).finally(() => {
      open--
    })
  }
  return {
    target: target.id,
    name: (await person.getProfile({})).display_name,
    person,
    beak: new Beak({ url, key: agent.beakKey, fetch: counting }),
    openRequests: () => open,
    key: agent.beakKey,
    sign: async () => {
      passkey ??= (await aPasskey(target)).authenticator
      const peck_id = await pendingPeck()
      const { code_hash } = await person.getPeck({ peck_id })
      // These people type any code.
      const code = code_hash === undefined ? {} : { code: '483920' }
      const request = await person.requestPasskeyChallenge({ purpose: 'approve', peck_id, ...code })
      return person.approvePeck({ peck_id, passkey: passkey.get(request) })
    },
    approve: async () => person.approvePeck({ peck_id: await pendingPeck() }),
    reject: async (reason) => person.rejectPeck({ peck_id: await pendingPeck(), reason }),
  }
}

/** A tool that counts how often it sent what. */
export function aMailer() {
  const sent: unknown[] = []
  const send = (input: unknown) => {
    sent.push(input)
    return `sent ${sent.length}`
  }
  return { sent, send }
}

export const mail = { to: 'a@example.com', subject: 'Tea' }
