/** Numbers of bank accounts (IBAN, ISO 13616). */

const form = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Whether the remainder of the number by 97 is 1, with its first four characters at the end and letters as numbers from 10 on. */
function hasCheckDigits(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Returns the number of a bank account in groups of four characters, or null when the text is no such number or has a typing error. */
export function groupedIban(text: string): string | null {
  const iban = text.trim().replaceAll(' ', '').toUpperCase()
  if (!form.test(iban) || !hasCheckDigits(iban)) return null
  return iban.match(/.{1,4}/g)?.join(' ') ?? null
}
