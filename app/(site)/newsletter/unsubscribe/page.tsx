import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { POST } from '@/app/beak/newsletter/unsubscribe/route'
import { LinkForm } from '@/components/link-form'
import { callApi } from '@/lib/web/call-api'

export const metadata: Metadata = { title: 'Unsubscribe', robots: { index: false } }

// Named, not passed through the address: what the page says comes from here only.
const results: Record<string, string> = {
  done: 'You are unsubscribed. No newsletter will come to you any more.',
  failed: 'This link is not valid any more. Subscribe again to get a new one.',
}

async function act(form: FormData): Promise<void> {
  'use server'
  const { ok } = await callApi(POST, 'POST', { body: { token: String(form.get('token') ?? '') } })
  redirect(`/newsletter/unsubscribe?result=${ok ? 'done' : 'failed'}`)
}

interface PageProps {
  searchParams: Promise<{ token?: string | string[]; result?: string | string[] }>
}

export default async function Page({ searchParams }: PageProps) {
  const { token, result } = await searchParams
  return (
    <LinkForm
      title="Unsubscribe"
      lead="One press, and no newsletter comes to you any more."
      button="Unsubscribe"
      token={String(token ?? '')}
      result={results[String(result)]}
      action={act}
    />
  )
}
