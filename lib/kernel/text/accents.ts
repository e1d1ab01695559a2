/** Returns a text without accents: "Gebühr" is "Gebuhr", "Straße" is "Strasse". For comparison only. */
export const withoutAccents = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
