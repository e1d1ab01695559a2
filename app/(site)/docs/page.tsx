import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { offlineCode, prelude, ssoCode, steps, webhookCode } from './steps'

export const metadata: Metadata = {
  title: 'Start here',
  description: 'From nothing to an agent that asked and was allowed, in five steps with curl.',
}

/** Where a developer begins: the main job, and the three things others check. */
export default function DocsPage() {
  const { baseUrl } = config()
  return (
    <>
      <PageHead
        title="Start here"
        lead="From nothing to an agent that asked and was allowed: five steps in a terminal, as they stand."
      >
        <ButtonLink href="/docs/api">API reference</ButtonLink>
        <ButtonLink href="/docs/errors">Errors</ButtonLink>
      </PageHead>
      <CopyBlock label="First, two helpers and the address" text={prelude(baseUrl)} />
      <ol className="mt-10">
        {steps.map(({ title, text, code }, index) => (
          <li
            key={title}
            className="grid gap-x-10 gap-y-4 border-t border-line py-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]"
          >
            <div className="flex gap-5">
              <span
                aria-hidden="true"
                className="w-8 shrink-0 font-display text-2xl font-semibold text-soft tabular-nums"
              >
                {index + 1}
              </span>
              <div>
                <h2>{title}</h2>
                <p className="mt-1 text-sm text-soft">{text}</p>
              </div>
            </div>
            <div className="min-w-0">
              <CopyBlock label="Shell" text={code} isExpanded />
            </div>
          </li>
        ))}
      </ol>
      <Recipes baseUrl={baseUrl} />
    </>
  )
}

function Recipes({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <Recipe
        id="webhooks"
        title="Check a webhook"
        label="Node.js, npm install standardwebhooks"
        code={webhookCode}
        text={
          <>
            Messages follow Standard Webhooks, which has libraries for most languages. Answer 2xx within 15
            seconds, and expect a message twice now and then: <code>webhook-id</code> stays the same.{' '}
            <Refer href="/docs/api/webhooks">Webhooks in the reference</Refer>
          </>
        }
      />
      <Recipe
        id="offline"
        title="Check a certificate offline"
        label="Node.js, npm install jose"
        code={offlineCode(baseUrl)}
        text={
          <>
            Keys and list may be kept for a while: the list holds everybody, so nobody learns whom you
            checked. To see a revocation sooner,{' '}
            <Refer href="/docs/api/certificates#get-beak-cert-verify">ask us</Refer>.
          </>
        }
      />
      <Recipe
        id="sso"
        title="Sign on at another domain"
        label="Shell, after step 1"
        code={ssoCode}
        text={
          <>
            A token names its domain and works there once. What comes of it is signed with our keys, and its{' '}
            <code>aud</code> is that domain. <Refer href="/docs/api/sso">SSO in the reference</Refer>
          </>
        }
      />
    </>
  )
}

function Refer({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="text-accent underline">
      {children}
    </Link>
  )
}

interface RecipeProps {
  id: string
  title: string
  text: ReactNode
  label: string
  code: string
}

function Recipe({ id, title, text, label, code }: RecipeProps) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-line py-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]"
    >
      <div>
        <h2 id={id}>{title}</h2>
        <p className="mt-2 text-sm text-soft">{text}</p>
      </div>
      <div className="min-w-0">
        <CopyBlock label={label} text={code} isExpanded />
      </div>
    </section>
  )
}
