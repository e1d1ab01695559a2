import { field } from '@/components/ui/form-state'

/** Returns the JSON in a field of a form. Malformed JSON is returned as text, so that the API rejects it together with other errors. */
export function jsonField(form: FormData, name: string): unknown {
  const text = field(form, name)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
