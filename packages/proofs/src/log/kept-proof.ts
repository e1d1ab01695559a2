/** Reads files that people have saved from the log: a checkpoint, an answer of `GET /beak/audit/proof`, or an account export with a proof. */
import { z } from 'zod'
import { entryKinds } from './entry'

const size = z.int().min(0)

const ProofEntry = z.object({
  index: size,
  kind: z.enum(entryKinds),
  digest: z.string(),
  data: z.string(),
  leaf_hash: z.string(),
  duckling_id: z.string(),
  seq: z.int().nullish(),
  hash: z.string().nullish(),
})
/** An entry of the log and the event that it stands for. `hash` is the hash of that event. */
export type ProofEntry = z.infer<typeof ProofEntry>

const ProvenEntry = z.object({ entry: ProofEntry, inclusion: z.array(z.string()) })
/** An entry and the hashes, in base64, that lead from the entry to the root of the checkpoint. */
export type ProvenEntry = z.infer<typeof ProvenEntry>

const LoggedHead = z.object({ index: size, seq: z.int().min(1), digest: z.string() })
/** An entry of the owner's chain. */
export type LoggedHead = z.infer<typeof LoggedHead>

const OwnEntry = z.object({
  index: size,
  kind: z.enum(entryKinds),
  digest: z.string(),
  passkey_id: z.string().nullable(),
  subject_id: z.string().nullable(),
})
/** An entry about the owner that is no head: of a passkey, a decision, a use or a revocation. */
export type OwnEntry = z.infer<typeof OwnEntry>

const Proof = z.object({
  checkpoint: z.string(),
  vkeys: z.array(z.string()).optional(),
  entry: ProofEntry.nullish(),
  inclusion: z.array(z.string()).nullish(),
  /** All entries of a passkey; `entry` is the last of them. */
  entries: z.array(ProvenEntry).optional(),
  signed_at: z.iso.datetime().optional(),
  heads: z.array(LoggedHead).optional(),
  own_entries: z.array(OwnEntry).optional(),
})

/** An export, whose audit log comes with a proof. */
const Export = z.object({ audit: z.object({ log: Proof }) })

export interface KeptProof {
  /** What messages call it. */
  name: string
  /** The checkpoint as a signed note. */
  checkpoint: string
  /** Verifier keys that came with the file. */
  vkeys: string[]
  entries: ProvenEntry[]
  /** When the checkpoint was signed; null when the file does not say. */
  signedAt: Date | null
  /** Every head of the account's chain that the log has, oldest first; null when the file does not list them. */
  heads: LoggedHead[] | null
  /** Every other entry about the account; null when the file does not list them. */
  ownEntries: OwnEntry[] | null
}

/** Returns the proof in a file, or null for JSON without a checkpoint. A text that is not JSON is read as a signed note. */
export function readKeptProof(name: string, text: string): KeptProof | null {
  if (!text.trimStart().startsWith('{'))
    return { name, checkpoint: text, vkeys: [], entries: [], signedAt: null, heads: null, ownEntries: null }
  try {
    return presentProof(name, JSON.parse(text))
  } catch {
    return null
  }
}

/** Returns the proof in parsed JSON, or null when it has none. */
export function presentProof(name: string, value: unknown): KeptProof | null {
  const { data } = z.union([Proof, Export]).safeParse(value)
  if (data === undefined) return null
  const proof = 'audit' in data ? data.audit.log : data
  const {
    checkpoint,
    vkeys = [],
    entry,
    inclusion,
    entries,
    signed_at: signedAt,
    heads = null,
    own_entries = null,
  } = proof
  const newest = entry ? [{ entry, inclusion: inclusion ?? [] }] : []
  return {
    name,
    checkpoint,
    vkeys,
    entries: entries ?? newest,
    signedAt: signedAt === undefined ? null : new Date(signedAt),
    heads,
    ownEntries: own_entries,
  }
}
