'use client'

import { invalid } from '@/app/_web/form'
import { isUnauthenticated, type Problem } from '@/app/_web/problem'
import { withBasePath } from '@/components/base-path'
import { saveFile } from '@/components/save-file'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { type FormState, failed, succeeded } from '@/components/ui/form-state'

const address = withBasePath('/api/export')
const fileName = 'beak-export.json'

/** Downloads the export. Shows a refusal in the form, which then asks for a passkey or a new sign-in. */
async function downloadExport(previous: FormState, form: FormData): Promise<FormState> {
  try {
    const response = await fetch(address, { headers: { Accept: 'application/json' } })
    if (!response.ok) {
      const problem = (await response.json()) as Problem
      if (isUnauthenticated(problem)) window.location.assign(withBasePath('/signin?next=/account'))
      return invalid(previous, form, problem)
    }
    saveFile(await response.blob(), fileName)
    return succeeded(previous, `Your data is saved as ${fileName}.`)
  } catch {
    return failed(previous, form, 'Beak could not be reached. Try again in a moment.')
  }
}

/** The download button. Without JavaScript, it is a link. */
export function ExportForm({ icon }: { icon: React.ReactNode }) {
  return (
    <>
      <ActionForm action={downloadExport} label="Download my data" className="noscript:hidden">
        <SubmitButton kind="plain" pending="Collecting your data …">
          {icon}
          Download my data
        </SubmitButton>
      </ActionForm>
      <noscript>
        <a href={address} className={buttonClass()}>
          {icon}
          Download my data
        </a>
      </noscript>
    </>
  )
}
