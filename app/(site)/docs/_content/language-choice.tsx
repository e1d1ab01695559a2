'use client'

import { useEffect, useState } from 'react'
import { m } from '@/lib/kernel/messages'
import type { Choice } from './blocks'

const place = 'beak-docs-language'

interface LanguageChoiceProps {
  languages: { name: Choice; title: string }[]
}

/** Chooses the language of the code on a page. The style sheet hides the other languages. Remembers the choice in this browser. */
export function LanguageChoice({ languages }: LanguageChoiceProps) {
  const [chosen, setChosen] = useState(languages[0]?.name)
  useEffect(() => {
    const remembered = languages.find(({ name }) => name === localStorage.getItem(place))
    if (remembered) setChosen(remembered.name)
  }, [languages])
  return (
    <fieldset className="no-print sticky top-2 z-10 mb-6 inline-flex flex-wrap rounded-control border border-line bg-surface p-0.5 shadow-card">
      <legend className="visually-hidden">{m.docs_language_of_the_code()}</legend>
      {languages.map(({ name, title }) => (
        <label
          key={name}
          className="inline-flex min-h-11 cursor-pointer items-center rounded-control px-4 text-sm text-soft has-checked:bg-sunken has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="language"
            value={name}
            checked={chosen === name}
            onChange={() => {
              setChosen(name)
              localStorage.setItem(place, name)
            }}
            className="visually-hidden"
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
