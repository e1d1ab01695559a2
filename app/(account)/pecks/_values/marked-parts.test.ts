import { describe, expect, it } from 'vitest'
import { markedParts } from './marked-parts'

const marked = (text: string, marksLetters = true) =>
  markedParts(text, marksLetters)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('')

describe('markedParts', () => {
  it('marks each letter outside of ASCII in an address', () => {
    expect(marked('аnna@exаmple.com')).toBe('[а]nna@ex[а]mple.com')
    expect(marked('anna@example.com')).toBe('anna@example.com')
  })

  it('marks hidden characters as their code in every text', () => {
    expect(marked('bo\u200bb', false)).toBe('bo[⟨U+200B⟩]b')
    expect(marked('Grüße', false)).toBe('Grüße')
  })

  it('keeps a letter outside of the basic plane whole', () => {
    expect(marked('𝐚@b.example')).toBe('[𝐚]@b.example')
  })
})
