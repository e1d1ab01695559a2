import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { api } from '@/app/_web/api'
import { field } from '@/app/_web/form'
import { withProblemPage } from '@/components/problem-page'
import { LinkForm, resultOf } from '../../link-form'

export const metadata: Metadata = { title: 'Confirm your subscription', robots: { index: false } }

async function act(form: FormData): Promise<void> {
  'use server'
  const token = field(form, 'token')
  const result = resultOf(await api('POST /beak/newsletter/confirm', { body: { token } }))
  redirect(`/newsletter/confirm?${new URLSearchParams({ ...(result === 'later' ? { token } : {}), result })}`)
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

export default withProblemPage(async function Page({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Confirm your subscription"
      lead="One press, and the newsletter comes to you."
      button="Subscribe"
      token={String(token ?? '')}
      result={String(result)}
      done={{
        title: 'You are subscribed.',
        text: 'The newsletter comes to you from now on. The letter you came from has the link that ends it again: keep it.',
      }}
      dead={{
        text: 'Open the link in the newest letter, or ask for a new letter.',
        next: { href: '/newsletter', label: 'Ask for a new letter' },
      }}
      action={act}
    />
  )
})
