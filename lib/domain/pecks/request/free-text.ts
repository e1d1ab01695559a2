/** What a request in free text may have: a sentence and at most four facts. Its approval is an answer, so it has no terms of a permission. */
import { currencyCode } from '@beak/decision/display/currencies'
import { isFreeText } from '@beak/decision/free-text'
import { hiddenCharacter } from '@beak/decision/visible'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'

/** One line: nothing in it looks like another line of the page. */
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text === text.trim() && !hiddenCharacter.test(text) && !/[\n\t]/.test(text))

const favourMax = 280
const factMax = 120

const Favour = z
  .strictObject({
    favour: line(favourMax),
    date: z.iso.date().optional(),
    amount: z
      .string()
      .regex(/^\d{1,9}(?:\.\d{1,3})?$/)
      .optional(),
    currency: z
      .string()
      .refine((code) => currencyCode(code) === code)
      .optional(),
    place: line(factMax).optional(),
    file: line(factMax).optional(),
  })
  .refine(({ amount, currency }) => (amount === undefined) === (currency === undefined))

/** The fields that only a permission has. */
const ofPermissions = [
  'grant_expires_in',
  'param_types',
  'audience',
  'require',
  'challenge',
  'code_hash',
] as const

interface Body extends Partial<Record<(typeof ofPermissions)[number], unknown>> {
  action: string
  scope: string
  params: unknown
}

/** Adds the faults of a request in free text to those of its form. */
export function requireFreeText(body: Body, context: z.core.$RefinementCtx<Body>): void {
  if (!isFreeText(body.action)) return
  const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (body.scope !== 'limited') fault('scope', m.field_favour_scope())
  for (const name of ofPermissions) if (body[name] !== undefined) fault(name, m.field_favour_no_permission())
  if (!Favour.safeParse(body.params).success) fault('params', m.field_favour_params())
}
