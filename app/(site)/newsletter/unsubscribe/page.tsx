import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { field } from '@/app/_web/form'
import { withProblemPage } from '@/components/problem-page'
import { LinkForm, resultOf } from '../../link-form'

export const metadata: Metadata = { title: 'Unsubscribe', robots: { index: false } }

async function act(form: FormData): Promise<void> {
  'use server'
  const token = field(form, 'token')
  const result = resultOf(await api('POST /beak/newsletter/unsubscribe', { body: { token } }))
  redirect(
    `/newsletter/unsubscribe?${new URLSearchParams({ ...(result === 'later' ? { token } : {}), result })}`,
  )
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

export default withProblemPage(async function Page({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Unsubscribe"
      lead="One press, and no newsletter comes to you any more."
      button="Unsubscribe"
      token={String(token ?? '')}
      result={String(result)}
      done={{
        title: 'You are unsubscribed.',
        text: 'No newsletter will come to you any more.',
      }}
      dead={{
        text: 'Open the link in the newest letter, or ask for a new letter.',
        next: { href: '/newsletter', label: 'Ask for a new letter' },
      }}
      action={act}
    />
  )
})
