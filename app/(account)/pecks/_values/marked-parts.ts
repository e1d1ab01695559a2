/** Splits a text of another person at the characters that nobody sees, or that may look like other letters. */
import { visible } from '../_peck/words'

interface Part {
  text: string
  isMarked: boolean
}

const shownCode = /(⟨U\+[0-9A-F]{4,6}⟩)/u
const notAscii = /([^\u0020-\u007e\n\t])/u

/** Splits a text at the characters to mark. `marksLetters`: also marks letters outside of ASCII, for addresses. */
export function markedParts(text: string, marksLetters: boolean): Part[] {
  return visible(text)
    .split(shownCode)
    .flatMap((piece, n): Part[] => {
      // The odd pieces are what the pattern found. The asker may also have written such a text with plain letters: then it is marked, too.
      if (n % 2 === 1) return [{ text: piece, isMarked: true }]
      if (!marksLetters) return [{ text: piece, isMarked: false }]
      return piece.split(notAscii).map((part, m) => ({ text: part, isMarked: m % 2 === 1 }))
    })
    .filter(({ text: part }) => part !== '')
}
