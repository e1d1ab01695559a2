import { Link } from '@/components/ui/link'
import { Verdict } from '@/components/verdict'

/** Answers for unknown and malformed agent numbers, with status 404. */
export default function NoSuchAgent() {
  return (
    <div className="mx-auto max-w-4xl">
      <Verdict kind="no" title="There is no such agent.">
        <p>We never registered an agent with this number. It is mistyped or made up, so don't rely on it.</p>
        <p className="mt-3 text-sm">
          An agent's number looks like <span className="font-mono">AGT-01JDV8…</span>, with 26 characters
          after the hyphen.{' '}
          <Link href="/verify" className="underline">
            Check something else
          </Link>
        </p>
      </Verdict>
    </div>
  )
}
