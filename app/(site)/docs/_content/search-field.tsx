import { Search } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

/** Searches the documentation. Works without JavaScript. */
export function SearchField({ query = '' }: { query?: string }) {
  return (
    <search>
      <form action={withBasePath('/docs/search')} className="flex gap-2">
        <input
          type="search"
          name="q"
          required
          maxLength={100}
          defaultValue={query}
          aria-label={m.docs_search_the_docs()}
          placeholder={m.docs_search_the_docs()}
          className="min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-sm text-ink placeholder:text-soft"
        />
        <button type="submit" className={buttonClass('plain', 'min-w-11 shrink-0 px-0')}>
          <Icon of={Search} size={16} />
          <span className="visually-hidden">{m.docs_search()}</span>
        </button>
      </form>
    </search>
  )
}
