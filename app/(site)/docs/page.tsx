import type { Metadata } from 'next'
import { withBasePath } from '@/app/_web/base-path'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { prelude, type Recipe, recipes, steps } from './steps'
import { TextWithCode } from './text-with-code'

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
      {recipes(baseUrl).map((recipe) => (
        <RecipeEntry key={recipe.id} recipe={recipe} />
      ))}
    </>
  )
}

/** A link to a page, or to a Markdown file, which is no page that Next can open. */
function RecipeLink({ href, text }: Recipe['link']) {
  const className = 'text-accent underline'
  return href.endsWith('.md') ? (
    <a href={withBasePath(href)} className={className}>
      {text}
    </a>
  ) : (
    <Link href={href} className={className}>
      {text}
    </Link>
  )
}

function RecipeEntry({ recipe: { id, title, text, link, label, code } }: { recipe: Recipe }) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-line py-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)]"
    >
      <div>
        <h2 id={id}>{title}</h2>
        <p className="mt-2 text-sm text-soft">
          <TextWithCode text={text} /> <RecipeLink {...link} />
        </p>
      </div>
      <div className="min-w-0">
        <CopyBlock label={label} text={code} isExpanded />
      </div>
    </section>
  )
}
