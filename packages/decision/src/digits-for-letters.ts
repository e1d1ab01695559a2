/** Digits and signs that people write instead of letters: "p4ssw0rd". */
const letters: Record<string, string> = {
  '@': 'a',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
}

/** Returns a text with the letters that its digits and signs may stand for. */
export const withLetters = (text: string): string =>
  text.replace(/[@013457$]/g, (sign) => letters[sign] ?? sign)
