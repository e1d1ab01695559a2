import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { POST } from '@/app/beak/newsletter/confirm/route'
import { LinkForm } from '@/components/link-form'
import { callApi } from '@/lib/web/call-api'

export const metadata: Metadata = { title: 'Confirm your subscription', robots: { index: false } }

// Named, not passed through the address: what the page says comes from here only.
const results: Record<string, string> = {
  done: 'You are subscribed.',
  failed: 'This link is not valid any more. Subscribe again to get a new one.',
}

async function act(form: FormData): Promise<void> {
  'use server'
  const { ok } = await callApi(POST, 'POST', { body: { token: String(form.get('token') ?? '') } })
  redirect(`/newsletter/confirm?result=${ok ? 'done' : 'failed'}`)
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

export default async function Page({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Confirm your subscription"
      lead="One press, and the newsletter comes to you."
      button="Subscribe"
      token={String(token ?? '')}
      result={results[String(result)]}
      action={act}
    />
  )
}
