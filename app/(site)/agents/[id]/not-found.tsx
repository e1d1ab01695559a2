import Link from 'next/link'
import { Verdict } from '@/components/verdict'

/** For a number no agent ever had, and for what is no number: a plain no, with status 404. */
export default function NoSuchAgent() {
  return (
    <div className="mx-auto max-w-4xl">
      <Verdict kind="no" title="There is no such agent.">
        <p>
          None was ever registered under this number. Whoever presents itself with it has mistyped it, or made
          it up: do not rely on it.
        </p>
        <p className="mt-3 text-sm">
          An agent's number looks like <span className="font-mono">AGT-01JDV8…</span>, with 26 characters
          behind the hyphen.{' '}
          <Link href="/verify" className="underline">
            Check a certificate instead
          </Link>
          .
        </p>
      </Verdict>
    </div>
  )
}
