/** The policy of the log (C2SP tlog-policy): whose signatures a checkpoint should have. */
import { config } from '@/lib/kernel/config'
import { logOrigin, logVerifierKeysOf } from './origin'

/** Returns the policy: the trusted keys of the log, and a quorum of all configured witnesses. */
export async function witnessPolicy(): Promise<string> {
  // Only the present name, because a policy must not have one public key twice.
  const logs = (await logVerifierKeysOf(await logOrigin())).map((vkey) => `log ${vkey}`)
  // Names in a policy must be unique, and the names of keys need not be.
  const witnesses = config().tlogWitnesses.map(({ vkey, url }, place) => ({
    name: `w${place + 1}`,
    line: `witness w${place + 1} ${vkey} ${url}`,
  }))
  const names = witnesses.map(({ name }) => name)
  const quorum =
    names.length === 0 ? ['quorum none'] : [`group witnesses all ${names.join(' ')}`, 'quorum witnesses']
  return [...logs, ...witnesses.map(({ line }) => line), ...quorum].map((line) => `${line}\n`).join('')
}
