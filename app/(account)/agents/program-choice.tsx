'use client'

import { Braces, CodeXml, MousePointerClick, Plug, SquareTerminal } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { type ProgramId, programs } from './programs'

const icons = { claude: SquareTerminal, cursor: MousePointerClick, codex: CodeXml, mcp: Plug, own: Braces }

interface ProgramChoiceProps {
  chosen: ProgramId
  /** Called for each choice. Without it, the choice is a field of the form around it. */
  onChoose?: (program: ProgramId) => void
}

/** Which program the agent is, as a group of radio buttons named `program`. */
export function ProgramChoice({ chosen, onChoose }: ProgramChoiceProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-semibold">{m.agents_program()}</legend>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {programs.map(({ id, label }) => (
          <li key={id} className="min-w-0 last:max-sm:col-span-2">
            <label className="relative flex h-full min-h-11 cursor-pointer items-center gap-2.5 rounded-control border border-edge bg-surface px-3 py-2.5 text-sm font-semibold wrap-anywhere has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent sm:flex-col sm:items-start sm:gap-2">
              <input
                type="radio"
                name="program"
                value={id}
                {...(onChoose === undefined
                  ? { defaultChecked: id === chosen }
                  : { checked: id === chosen, onChange: () => onChoose(id) })}
                className="visually-hidden"
              />
              <Icon of={icons[id]} size={20} className="shrink-0" />
              {label()}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
