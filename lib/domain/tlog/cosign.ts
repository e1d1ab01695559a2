/**
 * Asks witnesses to cosign the newest checkpoint of the log. A witness that is down or refuses is asked again later; nothing else
 * depends on it.
 */
import { db } from '@/lib/db/client'
import { whileRenewed } from '@/lib/infrastructure/worker/renew'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import type { Witness } from '@/lib/kernel/tlog-witnesses'
import type { VerifierKey } from '@/lib/kernel/verifier-key'
import { askWitness, type WitnessReply } from './ask-witness'
import { proveConsistency } from './merkle'
import { parseNote } from './note'
import { logOrigin } from './origin'
import { findCheckpoint, type PublishedCheckpoint } from './published'
import { readTree } from './tree'
import { type Lease, noteSize, releaseLease, renewLease, storeCosignature, takeLease } from './witness-lease'

const firstWaitSeconds = 10
const longestWaitSeconds = 5 * minute

/** When this process asks a witness again. */
interface Pace {
  /** Failures since the last success. */
  failures: number
  /** Not asked before. */
  notBefore: Date
  /** A failure is logged at most once a minute. */
  quietUntil: Date
}

const longAgo = new Date(0)
const paces = () => singleton('tlog.witnesses', () => new Map<string, Pace>())

function paceOf({ vkey }: Witness): Pace {
  return paces().get(vkey) ?? { failures: 0, notBefore: longAgo, quietUntil: longAgo }
}

/** Whether a time is still to come. A time further away than `most` seconds is from before the clock was set back, and does not count. */
function isAhead(time: Date, now: Date, most: number): boolean {
  return now < time && time <= secondsAfter(now, most)
}

/** Gets the newest checkpoint cosigned by a witness when that is due. Never rejects because of the witness. */
export async function cosign(witness: Witness, now: Date): Promise<void> {
  if (isAhead(paceOf(witness).notBefore, now, longestWaitSeconds)) return
  if ((await findUncosigned(witness)) === null) return
  const lease = await takeLease(witness.vkey, logOrigin(), now)
  if (lease === null) return
  // Read again: before this instance took the lease, another one may have stored a cosignature.
  const checkpoint = await findUncosigned(witness)
  if (checkpoint === null) return releaseLease(lease)
  const reply = await whileRenewed(
    (at) => renewLease(lease, at),
    () => submit(witness, checkpoint, lease),
  )
  if (reply.outcome === 'cosigned') {
    await storeCosignature(lease, checkpoint.size, reply.line, now)
    paces().delete(witness.vkey)
  } else {
    await releaseLease(lease)
    putOff(witness, reply, checkpoint, now)
  }
}

/** The newest checkpoint, or null when there is none or the witness has cosigned it. */
async function findUncosigned({ key }: Witness): Promise<PublishedCheckpoint | null> {
  const checkpoint = await findCheckpoint(db())
  return checkpoint === null || isSignedBy(checkpoint.note, key) ? null : checkpoint
}

function isSignedBy(note: string, { name, id }: VerifierKey): boolean {
  return parseNote(note)?.signatures.some((line) => line.name === name && line.id === id) ?? false
}

/** Asks the witness. Asks once more at once when the witness says that it has recorded another size. */
async function submit(
  witness: Witness,
  checkpoint: PublishedCheckpoint,
  lease: Lease,
): Promise<WitnessReply> {
  const { size, note } = checkpoint
  const ask = async (oldSize: number) => {
    const proof = await proveConsistency(oldSize, size, readTree(db(), size))
    return askWitness(witness, { oldSize, proof, note })
  }
  const reply = await ask(Math.min(lease.size, size))
  if (reply.outcome !== 'recorded') return reply
  if (reply.size > size)
    return { outcome: 'forked', why: `it has cosigned ${reply.size} entries, and this log has ${size}` }
  await noteSize(lease, reply.size)
  return ask(reply.size)
}

/** Delays the next try, longer after each failure, and writes a log line. */
function putOff(
  witness: Witness,
  reply: Exclude<WitnessReply, { outcome: 'cosigned' }>,
  { size }: PublishedCheckpoint,
  now: Date,
): void {
  const { failures, quietUntil } = paceOf(witness)
  const wait = Math.min(firstWaitSeconds * 2 ** failures, longestWaitSeconds)
  const isQuiet = isAhead(quietUntil, now, minute)
  paces().set(witness.vkey, {
    failures: failures + 1,
    notBefore: secondsAfter(now, wait),
    quietUntil: isQuiet ? quietUntil : secondsAfter(now, minute),
  })
  if (isQuiet) return
  const reason = reply.outcome === 'recorded' ? `it expects the old size ${reply.size} now` : reply.why
  const fields = { witness: witness.key.name, size, reason, nextTrySeconds: wait }
  if (reply.outcome === 'forked')
    log().error(
      fields,
      'the witness has seen another log: the database was set back, or somebody else signs with the key of the log (see docs/audit/witness.md)',
    )
  else log().warn(fields, 'a witness did not cosign the checkpoint')
}
