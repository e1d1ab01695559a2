/**
 * Names of params that say whom or what an action reaches. `any` never stands for them. The service and its pages read the same list, and so does
 * the judge of the Python client.
 */

const reached = new Set(
  (
    'cc bcc recipient receiver payee beneficiary creditor addressee destination dest merchant vendor supplier seller counterparty ' +
    'attendee invitee participant contact user username handle ' +
    'account acct iban bic swift aba routing sortcode wallet lnurl bolt11 ' +
    'address addr url uri link href endpoint webhook callback redirect host hostname domain server ip ' +
    'email mail phone tel telephone mobile msisdn fax sms whatsapp ' +
    'path file filename folder directory dir target command cmd sql shell exec script ' +
    'konto kontonummer kontoinhaber empfanger empfaenger begunstigter beguenstigter zahlungsempfanger zahlungsempfaenger glaubiger adresse anschrift telefon telefonnummer rufnummer handy handynummer mobilnummer pfad datei ordner befehl ' +
    'destinataire beneficiaire compte courriel telephone chemin fichier ' +
    'destinatario beneficiario cuenta direccion telefono correo ruta archivo carpeta comando ' +
    'conto indirizzo cellulare percorso cartella conta endereco telefone caminho arquivo pasta ' +
    'ontvanger begunstigde rekening rekeningnummer adres telefoon telefoonnummer bestand opdracht'
  ).split(' '),
)
/** What a name says about somebody instead of naming them: `email_subject`. */
const details = new Set(
  'body count enabled format kind label language length limit message note size status subject text title type unit verified version'.split(
    ' ',
  ),
)

/** Returns the words of a name in small letters of ASCII: `newPayee`, `New-Payee` and `new_payées` have two. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^(.*[^0-9])[0-9]+$/, '$1'))
    .filter((word) => word !== '')
}

const isReached = (word: string): boolean =>
  [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((form) => reached.has(form)) ||
  // Names that are written without a sign between their words: "bankaccount".
  [...reached].some((name) => name.length >= 5 && (word.startsWith(name) || word.endsWith(name)))

/** Tells whether a param with this name says whom or what an action reaches: a recipient, an account, an address, a path or a command. */
export function namesReached(name: string): boolean {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (last === 'to') return true
  return !details.has(last) && words.some(isReached)
}
