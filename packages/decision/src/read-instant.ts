/** A time with its zone: "2026-12-05T19:30:00+01:00". */
const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:\d{2})$/

/** Returns a param when it is a time with a zone that a clock can show, else null. `Intl` throws for any other time. */
export function readInstant(raw: unknown): string | null {
  return typeof raw === 'string' && form.test(raw) && !Number.isNaN(Date.parse(raw)) ? raw : null
}
