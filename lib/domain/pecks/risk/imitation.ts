/**
 * Finds words of an asker that sound like the service: they name it, or a security team, and tell the person what to do or to believe. An
 * honest text may do so, too ("Please approve the Beak integration"). So the rule changes no level: the page only says whose words they are.
 */
import { foldedTexts, foldedWords } from '@/lib/kernel/text/reserved-words'

const listOf = (words: string) => words.split(', ').map(foldedWords)

const service = foldedWords('beak')
/** Teams that speak with authority, in the languages of the rules of risk, and some more. */
const teams = listOf(
  'security team, security department, security center, trust team, safety team, fraud team, it security, ' +
    'sicherheitsteam, sicherheitsabteilung, sicherheitsdienst, ' +
    'équipe de sécurité, service de sécurité, équipe sécurité, ' +
    'equipo de seguridad, departamento de seguridad, ' +
    'team di sicurezza, squadra di sicurezza, team sicurezza, ' +
    'equipe de segurança, equipa de segurança, departamento de segurança, ' +
    'beveiligingsteam, veiligheidsteam, служба безопасности, команда безопасности',
)
/** What such a team wants, and what it claims. */
const claims = listOf(
  'approve, approved, approval, authorize, authorise, confirm, confirmed, verify, verified, checked, trusted, safe, low risk, ' +
    'urgent, urgently, immediately, at once, asap, suspended, blocked, locked, compromised, passkey, ' +
    'genehmige, genehmigen, genehmigt, bestätige, bestätigen, bestätigt, geprüft, sicher, dringend, sofort, umgehend, gesperrt, ' +
    'approuve, approuver, approuvez, confirmez, confirmer, vérifié, vérifiez, urgent, immédiatement, bloqué, suspendu, ' +
    'aprueba, apruebe, aprobar, aprobado, confirma, confirme, confirmar, verificado, verifique, urgente, inmediatamente, bloqueada, ' +
    'approva, approvare, approvato, conferma, confermare, verificato, subito, immediatamente, bloccato, ' +
    'aprova, aprove, aprovar, aprovado, confirmar, imediatamente, ' +
    'goedkeuren, goedgekeurd, bevestig, bevestigen, geverifieerd, onmiddellijk, geblokkeerd, ' +
    'одобрите, подтвердите, срочно, немедленно',
)
/** Words beside the name of the service with which it seems to speak itself. */
const speakers = listOf(
  'team, security, support, admin, administrator, staff, service, system, official, here, helpdesk, says, notice, alert, ' +
    'sicherheit, sécurité, seguridad, sicurezza, segurança, beveiliging, hier, ici, aquí, qui, aqui',
)
/** Languages without spaces between words. */
const wholeTexts: [RegExp, RegExp][] = [
  [/beak|安全团队|安全團隊|安全部门/iu, /批准|同意|确认|確認|验证|驗證|紧急|緊急|立即|立刻/u],
  [/beak|セキュリティチーム|セキュリティ部門/iu, /承認|確認|至急|緊急|今すぐ/u],
]

const hasAny = (text: string, list: string[]) => list.some((words) => text.includes(` ${words} `))

function speaksAsService(text: string): boolean {
  if (text.startsWith(` ${service} `) && hasAny(text, speakers)) return true
  // Also written together, which letters with spaces between them become.
  return speakers.some(
    (word) =>
      text.includes(` ${service} ${word} `) ||
      text.includes(` ${word} ${service} `) ||
      text.includes(` ${service}${word}`),
  )
}

/** A name before a colon or a dash at the start of a line: "BEAK: low risk". */
const label = /^\s*([^\n:–—]{1,40})[:–—]/gmu

/** Whether a line begins with the service as its speaker. */
const hasLabel = (text: string) =>
  [...text.matchAll(label)].some(([, speaker = '']) =>
    foldedTexts(speaker).some((folded) => folded.includes(` ${service} `) && folded.split(' ').length <= 5),
  )

/** Whether a text of an asker sounds like the service or a security team. */
export function imitatesService(text: string): boolean {
  if (text === '') return false
  const plain = text.normalize('NFKC')
  if (wholeTexts.some(([who, what]) => who.test(plain) && what.test(plain))) return true
  const isImitation = (folded: string) =>
    speaksAsService(folded) ||
    ((folded.includes(` ${service} `) || hasAny(folded, teams)) && hasAny(folded, claims))
  return foldedTexts(text).some(isImitation) || hasLabel(text)
}
