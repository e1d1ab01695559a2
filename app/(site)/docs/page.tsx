import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { offlineCode, prelude, ssoCode, steps, webhookCode } from './steps'

export const metadata: Metadata = {
  title: 'Start here',
  description: 'Register an agent and let it ask for its first permission, in five steps with curl.',
}

/** The first steps for developers, and code for webhooks, offline checks and SSO. */
export default function DocsPage() {
  const { baseUrl } = config()
  return (
    <>
      <PageHead
        title="Start here"
        lead="Register an agent and let it ask for its first permission. Paste these five steps into a terminal."
      >
        <ButtonLink href="/docs/api">API reference</ButtonLink>
        <ButtonLink href="/docs/errors">Errors</ButtonLink>
      </PageHead>
      <CopyBlock label="First, the address and two helpers" text={prelude(baseUrl)} />
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
            Messages follow Standard Webhooks, which has libraries for most languages. Answer with 2xx within
            15 seconds. A message can arrive twice, with the same <code>webhook-id</code>.{' '}
            <TextLink href="/docs/api/webhooks">See webhooks in the reference</TextLink>
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
            You can cache the keys and the list. The list covers many certificates, so we don't learn which
            one you check. To see a revocation at once,{' '}
            <TextLink href="/docs/api/certificates#get-beak-cert-verify">ask the API</TextLink>.
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
            A token names a domain and works there once. The access token that you get for it is signed with
            our keys, and its <code>aud</code> is that domain.{' '}
            <TextLink href="/docs/api/sso">See SSO in the reference</TextLink>
          </>
        }
      />
    </>
  )
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
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
