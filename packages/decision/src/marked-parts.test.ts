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

  it.each([
    ['Write to Bоss <bоss@corp.com>, grüße', 'Write to Bоss <b[о]ss@corp.com>, grüße'],
    ['ok@corp.com, еve@evil.com', 'ok@corp.com, [е]ve@evil.com'],
    ['Grüße von https://pоnd.example/über', 'Grüße von https://p[о]nd.example/über'],
    ['b\u200bоss@corp.com', 'b[⟨U+200B⟩][о]ss@corp.com'],
  ])('marks letters outside of ASCII only in the addresses of %j', (text, expected) => {
    expect(marked(text, false)).toBe(expected)
  })

  it('marks hidden characters as their code in every text', () => {
    expect(marked('bo\u200bb', false)).toBe('bo[⟨U+200B⟩]b')
    expect(marked('Grüße', false)).toBe('Grüße')
  })

  it('keeps a letter outside of the basic plane whole', () => {
    expect(marked('𝐚@b.example')).toBe('[𝐚]@b.example')
  })
})
