/** Numbers of accounts, wallets and invoices in texts, for `any`. Rather too often than too rarely. */

/** Days and times, whose digits are no number. */
const dates =
  /(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{5,12}(?:Z|[+-][0-9]{2}:[0-9]{2})?)?(?![0-9])/g
const ibanForm = /(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}[ -]?(?:[A-Za-z]{1,8}[ -]?)?(?:[0-9][ -]?){8}/
const namedForm =
  /(?<![A-Za-z])(?:account|accounts|acct|a\/c|iban|routing|wallet|konto|kontonr|kontonummer|compte|cuenta|conto|conta|rekening|rekeningnummer)(?![A-Za-z])[^0-9]{0,20}[0-9](?:[ -]?[0-9]){4}/i
/** Of Bitcoin, Lightning, Cardano, Cosmos and others (BIP 173), of Bitcoin Cash, and of Ethereum and others. */
const bech32Form = /^[A-Za-z][A-Za-z0-9]{0,40}1[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{20,}$/i
const walletForms = [
  /^[qp][qpzry9x8gf2tvdw0s3jn54khce6mua7l]{41}$/i,
  /^(?:0x)[0-9a-f]{40,64}$/i,
  /^[A-Z2-7]{56,58}$/,
  /^[EUk0]Q[A-Za-z0-9_-]{46}$/,
  /^(?:nano|xrb)_[a-z0-9]{60}$/i,
]
const base58Form = /^[1-9A-HJ-NP-Za-km-z]{25,110}$/
const hexForm = /^[0-9a-f]+$/i

/** Tells whether a word is the address of a wallet or an invoice of Lightning. */
const isWallet = (word: string): boolean =>
  (bech32Form.test(word) && !hexForm.test(word)) || walletForms.some((form) => form.test(word))

/** Tells whether a word has the form of older wallets: many letters of both sizes, and digits. */
const isBase58 = (word: string): boolean =>
  base58Form.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /[0-9]/.test(word)

/**
 * Tells whether a text can name an account: an IBAN, a wallet, an invoice of Lightning, "account 12345678". `isPayment`: beside a payment also a
 * bare number, a long one in a text, and a tag such as "$name".
 */
export function looksLikeAccount(value: string, isPayment: boolean): boolean {
  const text = value.normalize('NFKC').replace(dates, ' ')
  const words = text.split(/[^A-Za-z0-9_-]+/).filter((word) => word !== '')
  const joined = words.join('')
  const numbered = words.filter((word) => /[0-9]/.test(word)).length
  // Prose without blanks would have the form of some wallets.
  const isSplit = words.length > 1 && numbered * 3 >= words.length * 2
  const isNamed = ibanForm.test(text) || namedForm.test(text)
  // Digits of other scripts.
  const isForeign = (text.match(/(?![0-9])\p{Nd}/gu)?.length ?? 0) > 5
  if (isNamed || isForeign || [...words, joined].some(isWallet) || words.some(isBase58)) return true
  if (isSplit && isBase58(joined)) return true
  if (!isPayment) return false
  const isBare = /\p{Nd}/u.test(text) && !/\p{L}/u.test(text)
  const isLong = /(?<![A-Za-z0-9])[0-9]{8}/.test(text) || words.some((word) => /^[0-9a-f]{40,}$/i.test(word))
  return isBare || isLong || /(?<![A-Za-z0-9])\$[A-Za-z]/.test(text)
}
