/**
 * The words that the rules of risk know, in the languages of the pages and of most askers: English, German, French, Spanish, Italian,
 * Portuguese and Dutch. They count in actions and in the names of params. docs/risk.md explains the lists.
 */
import { withoutAccents } from '../accents'

/** Returns the words of some lists. */
export const setOf = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').trim().split(/\s+/))

/** Words of a verb that changes nothing. Every word of the verb must be one of these. */
export const harmless = setOf(`
  analyse analyze browse calculate check compare convert count describe download draft estimate explain fetch find get inspect list listen
  look lookup monitor preview query read search see show simulate suggest summarise summarize track translate validate verify view watch
`)

/** Verbs that destroy, whatever their object is. */
export const destroying = setOf(`
  annihilate decommission del delete deletion deprovision destroy destruct destruction drop eradicate erase erasure expunge kill killall nuke
  obliterate purge rm rmdir shred terminate termination truncate unlink wipe zap
  loesche loeschen loeschung losche loschen loschung vernichten zerstoren zerstoeren
  detruire effacer suppression supprime supprimer
  borra borrar destruir elimina eliminar suprimir
  cancella cancellare distruggere eliminare
  apaga apagar deletar excluir
  vernietigen verwijder verwijderen wis wissen
`)

/** Verbs that destroy, unless they do it to an object that is made to be cleared or formatted. */
export const clearing = setOf('clear empty format prune')
export const clearable = setOf(`
  alarm basket branch cache calculator cart cell code date document filter form field highlight message notification number paragraph
  report search selection slide spreadsheet string text
`)

/** Verbs that destroy when their object is worth keeping. Otherwise they are hard to undo. */
export const removing = setOf(
  'clean cleanup discard entferne entfernen flush overwrite quitar remove remover reset retirer rimuovere trash uninstall',
)
/** What is worth keeping. */
export const valuable = setOf(`
  all alle alles tout tous tudo tutto
  account archive backup bucket cluster computer customer data database dataset datastore db device directory disk drive environment
  everything file filesystem folder harddrive history home host instance key laptop log machine mailbox namespace organisation
  organization partition phone photo record repo repository schema server site snapshot stack storage table tenant user vault vm volume
  wallet website workspace
`)

/** What is small enough that deleting one is hard to undo and no more. */
export const small = setOf(
  'basket bookmark cache cart comment draft emoji filter label like notification reaction reminder spam tag',
)

/** Verbs whose result can be hard to undo. */
export const hardToUndo = setOf(
  'archive cancel close disable execute merge quit reboot rebuild replace restart revert revoke rollback shutdown stop suspend unsubscribe withdraw',
)
/** Verbs that undo or prevent what their object says: `cancel:deletion`. */
export const preventing = setOf('abort cancel decline deny prevent reject restore stop undo')

/** Verbs that leave the action to the object: `run:delete`. */
export const emptyVerbs = setOf('call do execute invoke make perform run start trigger use')

/** Verbs that pay, or bind a person to pay. */
export const paying = setOf(`
  autopay bet bid book buy charge checkout deposit donate gamble invest lend loan order pay payment payout preorder prepay purchase refund
  reimburse remittance rent renew reserve sell settle spend stake subscribe swap tip topup trade
  bestellen bezahle bezahlen kaufe kaufen mieten zahle zahlen
  acheter commander paie payer
  comprar pagar pago
  acquistare comprare pagare
  betaal betalen kopen
`)
/** Verbs that move money that somebody has. With an object that is money, or without any other sense. */
export const wiring = setOf(`
  remit transfer transference wire withdraw withdrawal
  ueberweise ueberweisen uberweise uberweisen virement virer transferir bonifico trasferire transferencia overmaken
`)
/** Verbs that move money only when their object is money: `move:funds`. */
export const moving = setOf('convert empty forward give liquidate move release send sweep')
/** Objects that are money. */
export const money = setOf(`
  balance bitcoin bonus btc cash cashflow coin credit crypto cryptocurrency deposit dividend dollar eth ether euro fund investment money payment
  payout payroll pension salary saving share stock transaction transfer usdc usdt wage withdrawal
  geld guthaben zahlung ueberweisung uberweisung
  argent paiement virement dinero fondo pago soldi pagamento dinheiro betaling
`)

/** Verbs that take or give control over an account or a machine. */
export const controlling = setOf(`
  assume authorise authorize elevate escalate hijack impersonate jailbreak masquerade root sudo takeover
`)
/** Verbs that hand out what their object names: access, a role, ownership. */
export const giving = setOf(`
  accept add allow approve assign change create delegate edit enable extend give grant invite issue make modify offer open promote release set
  share transfer update upgrade
`)
/** Verbs that let somebody in. Their result is more than a text to see. */
export const admitting = setOf('grant invite share')
/** Objects that belong to somebody else after a transfer. */
export const transferable = setOf(
  'account domain licence license number organisation organization project repo repository site subscription tenant website workspace',
)
/** Objects that are control. */
export const control = setOf(`
  access acl admin administrator authorisation authorization entitlement firewall iam maintainer owner ownership permission privilege role
  root sudo sudoer superuser
`)
/** Objects whose holder is promoted, not a post. */
export const people = setOf('account collaborator contributor employee member user')
/** Locks of the physical world. */
export const doors = setOf('car door garage gate house lock safe vault')

/** Objects that are secrets. */
export const secrets = setOf(`
  apikey credential dotenv env keychain keyring keystore mnemonic otp passcode passphrase passwd password passwort pin pwd secret seedphrase
  token contrasena motdepasse senha wachtwoord
`)
/** Verbs that hand out keys. */
export const handingOut = setOf('dump export publish share')
/** Two words that are a secret together. */
export const secretPairs = setOf(`
  access_key api_key backup_code encryption_key master_key private_key recovery_code recovery_phrase seed_phrase signing_key ssh_key
`)
/** What may happen to a secret without giving it away. */
export const harmlessToSecrets = setOf(
  'check count expire generate invalidate list revoke rotate test validate verify',
)

/** Objects that guard something. Turning one off removes a safeguard. */
export const safeguards = setOf(`
  2fa alert antivirus approval audit auditing authenticator backup encryption firewall guard guardrail limit logging mfa monitoring protection
  review safeguard safety sandbox security ssl tls validation verification
`)
export const turningOff = setOf(
  'bypass deactivate disable disarm lift override pause remove reset skip stop suspend',
)
/** Words that say that a safeguard is passed by. */
export const forcing = setOf('force forced forcibly irreversibly permanently unconditionally')

/** Objects that concern a person closely. Reading them is not harmless. */
export const sensitive = setOf(`
  account audit backup balance bank camera contract customer database db diagnosis dump employee finance health identity iban id_card
  legal location medical microphone passport patient payroll payslip permission person personal policy prescription private role salary screen ssn tax transaction user webcam
`)

/** Verbs whose result other people see. */
export const outward = setOf(`
  announce answer broadcast comment contact deploy dm email export forward grant invite mail merge message notify post publish push release
  reply respond rsvp send share sign sms submit text tweet upload
`)

/** Verbs that change what is there. */
export const changing = setOf('add change create edit modify new save schedule set update')
/** Verbs after which something else is stored than before. */
export const replacing = setOf('change edit modify overwrite replace reset rotate save set store update')
/** Verbs that write or send texts for people. */
export const writing = setOf(
  'analyse analyze announce answer broadcast comment describe dm draft email explain forward mail message notify post publish remind reply respond send sms summarise summarize text translate tweet write',
)
/** Objects that are texts for people. */
export const texts = setOf(
  'appointment article comment document draft email entry event invitation issue letter mail meeting message note page post reminder review task ticket todo tweet',
)
/** Verbs that run a program, and objects that are one. */
export const running = setOf('bash eval exec execute invoke powershell query run shell sql')
export const runnable = setOf(
  'code command job macro migration pipeline query script shell snippet sql statement terminal workflow',
)

/** Words that name production. */
export const production = setOf('prod production produktion produccion produzione producao productie')
/** What "live" names production together with: `live-database`. */
export const liveParts = setOf(
  'app application cluster database db env environment server service shop site system website',
)

/** Singular of an English plural: "backups", "branches", "policies". */
export function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** Returns a text without accents, in small letters: "Gebühr" is "gebuhr". */
export const folded = (text: string): string => withoutAccents(text).toLowerCase()
