import { Monitor, Moon, Sun } from 'lucide-react'
import { PlainForm } from '@/components/ui/plain-form'
import { chooseTheme } from './actions'
import { chosenTheme, type Theme } from './theme'

const choices: { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
  { theme: 'system', label: 'Same as system', Icon: Monitor },
]

/** Chooses the light theme, the dark theme or that of the system. Works without JavaScript. */
export async function ThemeSwitch() {
  const current = await chosenTheme()
  return (
    <fieldset className="inline-flex rounded-full border border-line p-0.5">
      <legend className="visually-hidden">Colour theme</legend>
      {choices.map(({ theme, label, Icon }) => (
        <PlainForm key={theme} action={chooseTheme.bind(null, theme)}>
          <button
            type="submit"
            aria-pressed={current === theme}
            title={label}
            className="grid size-9 place-items-center rounded-full text-soft aria-pressed:bg-sunken aria-pressed:text-ink hover:text-ink"
          >
            <Icon aria-hidden="true" size={17} />
            <span className="visually-hidden">{label}</span>
          </button>
        </PlainForm>
      ))}
    </fieldset>
  )
}
