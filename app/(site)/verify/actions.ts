'use server'

import { redirect } from 'next/navigation'
import { invalid } from '@/app/_web/form'
import { fieldProblem } from '@/app/_web/problem'
import { type FormState, field, succeeded } from '@/components/ui/form-state'
import {
  checkAgentToken,
  checkCredential,
  checkGrantToken,
  checkSsoToken,
  type TokenCheck,
} from './check-token'
import { type Recognised, recognise, textMax } from './recognise'
import { fieldName, unknownText, withoutScripts } from './words'

/**
 * Checks what the field contains. A number leads to its page, a token gets its result on this page, so that it is never in an address.
 * Receipts and secrets are not sent here, except without JavaScript.
 */
export async function checkAnything(
  previous: FormState<TokenCheck>,
  form: FormData,
): Promise<FormState<TokenCheck>> {
  const found = recognise(field(form, fieldName) || (await fileText(form.get('file'))))
  // Without a summary: the form has one field.
  const refuse = (message: string) =>
    invalid(previous, form, { ...fieldProblem(fieldName, message), detail: '' })
  switch (found.kind) {
    case 'certificate':
      return redirect(`/verify/${found.id}`)
    case 'agent':
      return redirect(`/agents/${found.id}`)
    case 'request':
      return redirect(`/pecks/${found.id}`)
    case 'credential': {
      const checked = await checkCredential(found.token)
      return 'certId' in checked ? redirect(`/verify/${checked.certId}`) : succeeded(previous, '', checked)
    }
    case 'agent_token':
    case 'grant_token':
    case 'sso_token':
      return succeeded(previous, '', await checks[found.kind](found.token))
    case 'unknown':
      return refuse(unknownText(found.hint))
    default:
      // The typed text is not sent back: it may be a secret.
      return { ...refuse(withoutScripts(found)), values: {} }
  }
}

const checks = {
  agent_token: checkAgentToken,
  grant_token: checkGrantToken,
  sso_token: checkSsoToken,
} satisfies Partial<Record<Recognised['kind'], (token: string) => Promise<TokenCheck>>>

/** Returns the text of a chosen file, or an empty text when there is none or when it is too long. */
async function fileText(file: FormDataEntryValue | null): Promise<string> {
  return file instanceof File && file.size <= textMax ? (await file.text()).trim() : ''
}
