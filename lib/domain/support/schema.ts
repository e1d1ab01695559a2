import { z } from 'zod'
import { text } from '@/lib/kernel/fields'
import { email } from '@/lib/kernel/typed/email'

export const SupportRequest = z.strictObject({
  email,
  /** Line ends are normalized to LF. */
  message: z
    .string()
    .transform((value) => value.replace(/\r\n?/g, '\n'))
    .pipe(text(1, 5000))
    .meta({ type: 'string', minLength: 1, maxLength: 5000 }),
})
