/**
 * The words that act, in names and values of params: what they do, in the languages of most askers. A word is read in any spelling: "deleteAfter",
 * "delete_after", "d3l3te". Set look-ups instead of patterns keep the time of a request short.
 */
import { withoutAccents } from '../accents'
import { withLetters } from '../digits-for-letters'
import { folded, setOf } from './words'

/** What a word does, or what it names. */
export type Concept = 'destroy' | 'pass' | 'pay' | 'run' | 'open' | 'grant' | 'weaken' | 'secret' | 'do'

/** Words as they are. A star at the end: every word that begins so. */
const words: Record<Concept, string> = {
  destroy: `
    delet* remov* eras* erasure destroy* destruct* drop dropp* drops purg* wipe* wiping trash* shred* unlink* expung* truncat* prune pruned pruning nuke nuk* overwrit* clobber* obliterat* decommission* discard* uninstall* annihilat* kill killall empty emptytrash
    vernicht* losch* loesch* entfern* leeren supprim* effac* vider detrui* borrar borra borre borrado elimin* destruir vaciar cancella cancellare svuota rimuov* apagar excluir verwijder* wissen usun* kasuj* удал* стереть sil silme* xoa slett* radera poista* smaz* raderas
    ondelete revok* reformat deleted_all rm rmdir retire retiring abreiss*`,
  pass: `
    forward* fwd relay* resend* redirect* divert* exfil* leak* upload* webhook* callback* bcc xfer beacon* collector* export* publish* share shares shared sharing send* sent autosend deliver* dispatch* transmit* broadcast* contribut* crosspost* repost* submit* notify* notif mailto syndicat* exfiltrat* publiclink
    weiterleit* weitersend* weitergeb* senden sende schick* teilen veroffentlich* veroeffentlich* hochlad* abschick* einreich* envoy* renvoy* transferer partag* publier reenvi* enviar envia envie comparti* publicar inoltr* invia inviare condivid* pubblica* encaminh* partilh* doorstur* stuur* sturen delen przekaz* przesl* wysl* отправ* перешл* gonder* vidareb* videresend* skicka
    cc copia* kopie* kopia* mirror* sink autopost autoreply reply_with inviteall invite invit* attach pastebin`,
  pay: `
    pay pays paid_now paying payer payto paywith autopay buy buys buying bought autobuy purchas* checkout charge charged bid bidding tip donat* subscrib* upgrade* redeem* refund* withdraw* sweep* invest* staking stake topup giftcard* autorenew* autobook* bookcheapest reservewith* credits buycredits place_order preorder* autobid
    kauf* kaufen bestell* bezahl* zahlen uberweis* ueberweis* buchen achet* acheter commander pagar paga pague comprar compra compre acquist* compra* koop kopen betaal betal* купить оплат* satin pourboire trinkgeld propina mancia caparra acconto przelew* zaplac* kup kupuj* zamow*`,
  run: `run exec execut* eval evaluat* script scripts shell command commands cmd precommand postinstall inject* payload* curl wget bash sudo powershell spawn* subprocess autorun ausfuhr* ausfuehr* ejecut* eseguir* hook hooks macro sidetask onload plugin* loader preload*`,
  open: `unlock* disarm* entsperr* aufsperr* aufschliess* offne* offnen oeffn* deverrouill* desarm* abrir abre aprire apri ouvrir ouvre buzz disinnesc* opendoor entriegel* ontgrendel* разблок*`,
  grant: `grant* allow* permit* permission* admin* ownership delegat* collaborat* authoris* authoriz* approv* autoapprove* entrust* impersonat* rights rechte droits derechos procuration vollmacht powers pouvoirs mandat organisateur escalat* sudoer* superuser oauth consent accessrole adduser`,
  weaken: `disabl* bypass* skip skips skipp* mute muted silent* silenc* deactivat* deaktiv* desactiv* disattiv* uitschakel* abschalt* ausschalt* overrid* suspend* spoof* stumm unmask* reveal* decrypt* nolog stealth* covert* hidden unattended insecure unsafe force forced ignore* autoconfirm* autoaccept* noconfirm turnoff privileged jailbreak* sans_confirmation`,
  secret: `
    password* passwort* passwd pwd passphrase* passcode* kennwort* motdepasse contrasen* senha senhas wachtwoord* secret* credential* apikey* token tokens cookie cookies otp otps totp 2fa mfa mnemonic* keystore* keychain* keyring* kdbx bitwarden 1password lastpass keepass* wallet wallets cvv cvc privkey ssn environ dotenv localstorage sessionstorage authorization bearer
    clipboard* metamask sk_live zwischenablage presse_papiers seedphrase passkey* recoverycode* credencial* geheim* zugangsdat* tan tans jwt htpasswd shadow sudoers keylog* mdp clave claves notfallcode* backupcode* paroli haslo hasla sifre парол* κωδικ* autofill logins passport* reisepass ausweis* personalausweis identite steuerid iban ibans bic`,
  do: `fix switch* terminat* install* deploy* rotate* reboot* restart* shutdown replac* merge* rename transfer* cancel* accept* confirm* sign signature esign apply enable* activat* activer autoplay sync syncto syncing copy copyto move moveto reset* archive* restore* revert* rollback register* enroll* unsubscrib* unfollow report_to escalate booknow ordernow kundig* kuendig* resilier stornier* umbuch* rebook* verstur* verzend* annul* anular anula anule`,
}

const exact = new Map<string, Concept>()
const stems = new Map<string, Concept>()
let [shortest, longest] = [9, 4]
for (const [concept, list] of Object.entries(words))
  for (const word of list.trim().split(/\s+/)) {
    const isStem = word.endsWith('*')
    const key = isStem ? word.slice(0, -1) : word
    const map = isStem ? stems : exact
    if (!map.has(key)) map.set(key, concept as Concept)
    if (isStem) [shortest, longest] = [Math.min(shortest, key.length), Math.max(longest, key.length)]
  }

/** Words that begin like an acting one, and are none. */
const innocent = new Set(
  'paid payload_size sharpness hooks_list scripted trustee trusty approved approver paypal roleplay allowance allowances forwarder uploads share_price shared sent delivered delivery deliveries deliverable deliverables delivering published publisher publishers publication exported exporter deleted removed cancelled canceled archived unarchived merged renamed restored booked confirmed accepted rejected enabled disabled locked unlocked muted subscribed subscription subscriptions donated refunded purchased invited redirected forwarded registered installed deployed replaced activated permitted granted authorized switched skipped dropped trashed erased uploaded notified suspended terminated revoked signed invitation invitations subscriber subscribers reporter signal signals signing activation registration deployment deployments installer installation execution replacement replacements transferable enabling activity activities hooked tokenizer tokenize tokens_max cookiecutter cookbook cooking kaufland evaluation commander senden1 investment investments removable destruction dispatchers merger movement'.split(
    ' ',
  ),
)

/** How the stems begin. */
const beginnings = new Set([...stems.keys()].map((stem) => stem.slice(0, 3)))

function lookUp(word: string): Concept | null {
  const found = exact.get(word)
  if (found !== undefined) return found
  if (innocent.has(word)) return null
  if (!beginnings.has(word.slice(0, 3))) return null
  for (let length = Math.min(longest, word.length); length >= shortest; length -= 1) {
    const stem = stems.get(word.slice(0, length))
    if (stem !== undefined) return stem
  }
  return null
}

/** Returns what a word does: a word of `wordsOf`. Digits in it may stand for letters. */
export function conceptOf(word: string): Concept | null {
  const found = lookUp(word)
  if (found !== null || !/[0134577@$]/.test(word) || !/[a-z]/.test(word)) return found
  const plain = withLetters(word)
  return lookUp(plain) ?? lookUp(plain.replaceAll('i', 'l'))
}

const nothing = new Set([...setOf('false no 0 none null never off nein non nee'), ''])

/** Whether the value of a name that acts says that it does not: `delete: false`. Only what every program reads so. */
export const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  (typeof value === 'string' && nothing.has(folded(value).trim()))

/** Whether a participle says what was done, as filters do: `status: "deleted"`. */
export const isParticiple = (word: string): boolean => innocent.has(word)

const camel = /([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g
const asciiWord = /[a-z0-9@$]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7f]*$/

/** Returns the words of a text in small letters without accents: "deleteAfter.all" has "delete", "after" and "all". */
export function wordsOf(text: string): string[] {
  if (isAscii.test(text)) return text.replace(camel, '$1$3_$2').toLowerCase().match(asciiWord) ?? []
  const found = withoutAccents(text)
    .replace(/ł/gi, 'l')
    .replace(/ı/g, 'i')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$3_$2')
    .toLowerCase()
    .match(/[\p{L}\p{N}@$]+/gu)
  return found ?? []
}

/** What a name in snake case does as a whole: "P4Y" is "p4_y", and pays. */
export const conceptOfJoined = (name: string): Concept | null =>
  name.includes('_') ? conceptOf(name.replaceAll('_', '')) : null
