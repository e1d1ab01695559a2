import { parseSize } from '@beak/proofs/log/checkpoint'
import { entryKinds } from '@beak/proofs/log/entry'
import { z } from 'zod'
import { instant, wholeNumber } from '@/lib/kernel/request/fields'

const hash = z.string().meta({ description: '32 bytes in base64.' })

/** An entry of the caller, with the values that its digest covers. */
const OwnEntry = z
  .object({
    index: z.int(),
    kind: z.enum(entryKinds),
    digest: z.string().meta({ description: 'SHA-256 in hex: see /docs/audit.' }),
    data: z.string().meta({ description: 'The bytes of the entry, as text.' }),
    leaf_hash: hash.meta({ description: 'SHA-256 of a zero byte and `data`, in base64.' }),
    duckling_id: z.string(),
    seq: z.int().nullable().meta({ description: 'For a chain head: the number of the event.' }),
    hash: z.string().nullable().meta({ description: 'For a chain head: the hash of that event, in hex.' }),
    passkey_id: z.string().nullable(),
  })
  .meta({ id: 'LogEntry' })

/** A proof that the log has an entry of the caller, and that the log only grew. RFC 6962, section 2.1. */
export const LogProof = z
  .object({
    origin: z.string(),
    checkpoint: z.string().meta({ description: 'The signed note, with the cosignatures of witnesses.' }),
    tree_size: z.int(),
    signed_at: instant.meta({ description: 'When the log signed the checkpoint.' }),
    cosignatures: z.int().meta({ description: 'How many witnesses have cosigned the checkpoint.' }),
    root_hash: hash,
    vkeys: z.array(z.string()).meta({ description: 'Verifier keys of the log, newest first.' }),
    continues: z
      .object({
        origin: z.string().meta({ description: 'The name of the old log.' }),
        checkpoint: z.string().meta({ description: 'Its last known checkpoint, as a signed note.' }),
        at: instant.meta({ description: 'When the new log began.' }),
      })
      .nullable()
      .meta({
        description:
          'The log that this one continues under a new name, after entries were lost. null for most logs.',
      }),
    entry: OwnEntry.nullable().meta({
      description: 'null until the log has an entry of the caller. Events are logged within a minute.',
    }),
    inclusion: z
      .array(hash)
      .nullable()
      .meta({ description: 'Proof that `entry` is in the tree of `tree_size` entries, from the leaf up.' }),
    entries: z
      .array(z.object({ entry: OwnEntry, inclusion: z.array(hash) }))
      .optional()
      .meta({ description: 'With `passkey_id`: every entry of that passkey, oldest first.' }),
    heads: z
      .array(z.object({ index: z.int(), seq: z.int(), digest: z.string() }))
      .optional()
      .meta({
        description:
          'With `heads=true`, and in exports: every logged head of the caller, oldest first. `beak audit verify` compares each with the event.',
      }),
    own_entries: z
      .array(
        z
          .object({
            index: z.int(),
            kind: z.enum(entryKinds),
            digest: z.string(),
            passkey_id: z.string().nullable(),
            subject_id: z
              .string()
              .nullable()
              .meta({ description: 'For a decision, a use or a revocation: the peck or the certificate.' }),
            logged_at: instant,
          })
          .meta({ id: 'OwnLogEntry' }),
      )
      .optional()
      .meta({
        description:
          'With `entries=true`, and in exports: every other entry of the caller, the newest first. Compare those of passkeys with your passkeys.',
      }),
    has_more: z
      .boolean()
      .optional()
      .meta({ description: 'With `entries=true`: whether older ones are left. Ask with `before` for them.' }),
    consistency: z
      .object({ first: z.int(), second: z.int(), proof: z.array(hash) })
      .nullable()
      .meta({ description: 'Proof that the first `first` entries are the beginning of the first `second`.' }),
  })
  .meta({ id: 'LogProof' })

export type LogProofInput = z.input<typeof LogProof>

const treeSize = z
  .string()
  .refine((text) => parseSize(text) !== null, 'must be a tree size: a whole number')
  .transform(Number)
  .meta({ ...wholeNumber, minimum: 0 })

/** Query of `GET /beak/audit/proof`. */
export const LogProofQuery = z
  .strictObject({
    seq: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be the number of an event')
      .transform(Number)
      .optional()
      .meta({ ...wholeNumber, minimum: 1 }),
    passkey_id: z
      .string()
      .regex(/^[A-Z]+-[0-9A-Z]{1,64}$/, 'must be the id of a passkey')
      .optional(),
    heads: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({ type: 'boolean', enum: undefined }),
    entries: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({ type: 'boolean', enum: undefined }),
    before: treeSize.optional().meta({
      description: 'With `entries=true`: only entries with a smaller index, at most 1,000 of them.',
    }),
    first: treeSize.optional(),
    second: treeSize.optional(),
  })
  .superRefine(({ seq, passkey_id, first, second, entries, before }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (seq !== undefined && passkey_id !== undefined)
      refuse('passkey_id', 'cannot be used together with seq')
    if (before !== undefined && entries !== true) refuse('before', 'needs entries=true')
    if (second !== undefined && first === undefined) refuse('first', 'is required with second')
    if (first !== undefined && second !== undefined && first > second)
      refuse('first', 'must not be larger than second')
  })

export type LogProofQuery = z.output<typeof LogProofQuery>
