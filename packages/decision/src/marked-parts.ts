/** Splits a text of another person at the characters that nobody sees, or that may look like other letters. */
import { addressesIn } from './addresses'
import { visible } from './visible'

interface Part {
  text: string
  isMarked: boolean
}

const shownCode = /(⟨U\+[0-9A-F]{4,6}⟩)/u
const notAscii = /([^\u0020-\u007e\n\t])/u

/**
 * Splits a text at the characters to mark. Letters outside of ASCII are marked in every address that the text contains. `marksLetters`:
 * the whole text is an address.
 */
export function markedParts(text: string, marksLetters: boolean): Part[] {
  if (marksLetters) return splitPart(text, true)
  const parts: Part[] = []
  let end = 0
  for (const address of addressesIn(text)) {
    parts.push(...splitPart(text.slice(end, address.start), false), ...splitPart(address.text, true))
    end = address.start + address.text.length
  }
  return [...parts, ...splitPart(text.slice(end), false)]
}

function splitPart(text: string, isAddress: boolean): Part[] {
  return visible(text)
    .split(shownCode)
    .flatMap((piece, n): Part[] => {
      // The odd pieces are what the pattern found. The asker may also have written such a text with plain letters: then it is marked, too.
      if (n % 2 === 1) return [{ text: piece, isMarked: true }]
      if (!isAddress) return [{ text: piece, isMarked: false }]
      return piece.split(notAscii).map((part, m) => ({ text: part, isMarked: m % 2 === 1 }))
    })
    .filter(({ text: part }) => part !== '')
}
