'use client'

import { invalid } from '@/app/_web/form'
import { isUnauthenticated, type Problem } from '@/app/_web/problem'
import { withBasePath } from '@/components/base-path'
import { saveFile } from '@/components/save-file'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { type FormState, failed, succeeded } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'

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
    return succeeded(previous, keptText(m.account_your_data_is_saved_as_filename, { fileName }))
  } catch {
    return failed(previous, form, m.account_export_unreachable_error())
  }
}

/** The download button. Without JavaScript, it is a link. */
export function ExportForm({ icon }: { icon: React.ReactNode }) {
  return (
    <>
      <ActionForm action={downloadExport} label={m.account_download_my_data()} className="noscript:hidden">
        <SubmitButton kind="plain" pending={m.account_collecting_your_data()}>
          {icon}
          {m.account_download_my_data()}
        </SubmitButton>
      </ActionForm>
      <noscript>
        <a href={address} className={buttonClass()}>
          {icon}
          {m.account_download_my_data()}
        </a>
      </noscript>
    </>
  )
}
