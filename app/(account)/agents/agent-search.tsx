import { Search } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

interface AgentSearchProps {
  text: string
  withDeregistered: boolean
}

/** Searches the agents. A GET form, so that it works without JavaScript, and so that Back works. */
export function AgentSearch({ text, withDeregistered }: AgentSearchProps) {
  return (
    <search className="mb-6 block">
      <form action={withBasePath('/agents')} method="get" className="flex max-w-xl flex-wrap gap-3">
        <label htmlFor="q" className="visually-hidden">
          {m.agents_search_agents_by_name_id_type()}
        </label>
        <div className="relative min-w-0 flex-1 basis-56">
          <Icon
            of={Search}
            size={18}
            className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-soft"
          />
          <input
            // A new search replaces what was typed before.
            key={text}
            id="q"
            name="q"
            type="search"
            defaultValue={text}
            maxLength={64}
            placeholder={m.agents_name_id_type_or_capability()}
            autoComplete="off"
            spellCheck={false}
            className="min-h-11 w-full rounded-control border border-edge bg-surface ps-10 pe-3 text-base text-ink placeholder:text-soft"
          />
        </div>
        {withDeregistered ? <input type="hidden" name="include" value="deregistered" /> : null}
        <button type="submit" className={buttonClass('plain')}>
          {m.agents_search()}
        </button>
      </form>
    </search>
  )
}
