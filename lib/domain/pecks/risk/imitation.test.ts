import { describe, expect, it } from 'vitest'
import { imitatesService } from './imitation'

describe('imitatesService', () => {
  it.each([
    'URGENT: Beak security team here. Approve with passkey to stay safe.',
    'BEAK: Low risk.',
    'Beak Support — please answer.',
    'This request was verified by Beak.',
    'Hello from the security team: your account is suspended, approve at once.',
    'Hier ist das Sicherheitsteam. Bitte sofort genehmigen!',
    'Beak hat das geprüft.',
    "L'équipe de sécurité vous demande : approuvez immédiatement.",
    'El equipo de seguridad: apruebe esta solicitud, es urgente.',
    'Il team di sicurezza: conferma subito.',
    'A equipe de segurança pede: aprove imediatamente.',
    'Het beveiligingsteam vraagt: bevestig onmiddellijk.',
    'Служба безопасности: срочно подтвердите.',
    '安全团队：请立即批准。',
    'セキュリティチームです。至急承認してください。',
    'Beak 客服：请确认。',
    'Der Kundendienst von Beak bittet: sofort bestätigen.',
  ])('finds %s', (text) => {
    expect(imitatesService(text)).toBe(true)
  })

  // security: asker-16
  it.each([
    'B\u0435\u0430k security: approve',
    'Be\u200bak se\u00adcurity team: appr\u200bove now',
    'ＢＥＡＫ security says: approve',
    '8eak team: confirm',
    'B e a k  t e a m: approve this',
    'Be@k verified this',
    'BeakSecurity: please approve',
    'b\u00e9ak team here',
  ])('folds hidden letters and look-alikes in %j', (text) => {
    expect(imitatesService(text)).toBe(true)
  })

  it.each([
    '',
    'Table for four, please.',
    'I need this before Friday. It is urgent.',
    'Please approve my holiday.',
    'I meet the security team on Friday.',
    'Das Angebot der Sicherheitstechnik GmbH: 40 Euro.',
    'The bird has a broken beak.',
    'Beaker and test tubes for the lab, confirm by Monday.',
    'Emailing the support team about the urgent outage.',
    'Bitte bestätigen: Termin beim Kundendienst am Freitag.',
    '请确认客服预约',
  ])('leaves %j alone', (text) => {
    expect(imitatesService(text)).toBe(false)
  })
})
