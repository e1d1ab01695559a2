/** What the checks of both versions of a receipt share: how they refuse, and how they read texts. */
import type * as z from 'zod'
import { type Bytes, bytesOfBase64url } from '../bytes'
import { exactJson } from '../exact-numbers'
import type { CheckpointFork } from '../log/checkpoint-store'

/** The parts of a receipt, in the order they are checked. Version 1 has no enrolment and no values, and only version 3 has a rule. */
export const receiptParts = [
  'file',
  'jwks',
  'jws',
  'statement',
  'passkey',
  'enrolment',
  'logged',
  'values',
  'rule',
] as const
export type ReceiptPart = (typeof receiptParts)[number]

/** The first fault of a receipt. */
export interface ReceiptFault {
  part: ReceiptPart
  message: string
  /** `test_credential`: a test service signed the receipt, and `allowTest` is not set. */
  reason?: 'test_credential'
  /** The signed notes that prove that the log showed two histories, when a checkpoint contradicts a remembered one. Keep both. */
  fork?: CheckpointFork
}

/** Thrown for an invalid receipt, and caught by `checkReceipt`. */
export class Refusal extends Error {
  constructor(
    readonly part: ReceiptPart,
    message: string,
    readonly fork?: CheckpointFork,
    readonly reason?: 'test_credential',
  ) {
    super(message)
  }
}

/** Decodes canonical base64url. Throws `Refusal` for other text. */
export function bytesOf(text: string, part: ReceiptPart, name: string): Bytes {
  const bytes = bytesOfBase64url(text)
  if (bytes === null) throw new Refusal(part, `The ${name} is not canonical base64url.`)
  return bytes
}

/** Returns the value when it has the form of the schema. Throws `Refusal`. */
export function read<T>(schema: z.ZodType<T>, value: unknown, part: ReceiptPart, name: string): T {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Refusal(part, `The ${name} cannot be read.`)
  return data
}

/** Returns the file when it has the form of the schema. Throws `Refusal` with the first place that differs. */
export function readFile<T>(schema: z.ZodType<T>, file: unknown): T {
  const { success, data, error } = schema.safeParse(file)
  if (success) return data
  const place = error.issues[0]?.path.join('.') ?? ''
  throw new Refusal(
    'file',
    `This is not a receipt${place === '' ? '.' : `: ${place} is missing or invalid.`}`,
  )
}

/** Returns the JSON value of a text, or undefined, which no schema accepts. A number that JSON does not keep is none. */
export function jsonOf(text: string): unknown {
  try {
    return exactJson(text)
  } catch {
    return undefined
  }
}
