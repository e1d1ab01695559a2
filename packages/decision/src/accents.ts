// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7f]*$/

/** Returns a text without accents: "Gebühr" is "Gebuhr", "Straße" is "Strasse". For comparison only. */
export const withoutAccents = (text: string): string =>
  isAscii.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
