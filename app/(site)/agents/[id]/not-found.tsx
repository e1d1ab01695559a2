import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'

/** Answers for unknown and malformed agent numbers, with status 404. */
export default function NoSuchAgent() {
  return (
    <div className="mx-auto max-w-4xl">
      <Verdict kind="no" title={m.agent_check_there_is_no_such_agent()}>
        <p>{m.agent_check_we_never_registered_agent_with_this()}</p>
        <p className="mt-3 text-sm">
          <Sentence
            of={m.agent_check_agents_number_looks_like_agt_01jdv8}
            parts={{
              span: (children) => (
                <span translate="no" className="font-mono">
                  {children}
                </span>
              ),
              link: (children) => (
                <Link href="/verify" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
      </Verdict>
    </div>
  )
}
