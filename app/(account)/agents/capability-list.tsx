import { m } from '@/lib/kernel/messages'
import { capabilityWords } from './words'

/** What an agent may do: a sentence for each capability, with its name in the API. */
export function CapabilityList({ capabilities }: { capabilities: string[] }) {
  return (
    <ul aria-label={m.agents_capabilities()} className="grid gap-1.5">
      {capabilities.map((code) => {
        const words = capabilityWords(code)
        return (
          <li key={code} className="wrap-anywhere">
            {words === null ? null : `${words} `}
            <code translate="no" className="text-xs text-soft">
              {code}
            </code>
          </li>
        )
      })}
    </ul>
  )
}
