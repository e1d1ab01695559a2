import { type IconNode, Monitor, Moon, Sun } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { PlainForm } from '@/components/ui/plain-form'
import { m } from '@/lib/kernel/messages'
import { chooseTheme } from './actions'
import { chosenTheme, type Theme } from './theme'

const choices: { theme: Theme; label: () => string; icon: IconNode }[] = [
  { theme: 'light', label: m.theme_light, icon: Sun },
  { theme: 'dark', label: m.theme_dark, icon: Moon },
  { theme: 'system', label: m.theme_system, icon: Monitor },
]

/** Chooses the light theme, the dark theme or that of the system. Works without JavaScript. */
export async function ThemeSwitch() {
  const current = await chosenTheme()
  return (
    <fieldset className="inline-flex rounded-full border border-line p-0.5">
      <legend className="visually-hidden">{m.theme_label()}</legend>
      {choices.map(({ theme, label, icon }) => (
        <PlainForm key={theme} action={chooseTheme.bind(null, theme)}>
          <button
            type="submit"
            aria-pressed={current === theme}
            title={label()}
            className="grid size-9 place-items-center rounded-full text-soft aria-pressed:bg-sunken aria-pressed:text-ink hover:text-ink"
          >
            <Icon of={icon} size={17} />
            <span className="visually-hidden">{label()}</span>
          </button>
        </PlainForm>
      ))}
    </fieldset>
  )
}
