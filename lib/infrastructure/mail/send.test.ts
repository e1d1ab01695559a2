import { expect, it, onTestFinished } from 'vitest'
import { aMailServer } from '@/lib/fixtures/mail'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { sendMail } from './send'

it.each([
  ['Beak Team', 'From: Beak Team <noreply@beak.example>'],
  ['Beak, Inc. (EU)', 'From: "Beak, Inc. (EU)" <noreply@beak.example>'],
  ['Grüße', 'From: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= <noreply@beak.example>'],
])('sends mails of %s from the address in the envelope and in the header', async (mailName, header) => {
  const before = config()
  onTestFinished(() => replaceConfig(before))
  const server = await aMailServer(async () => undefined)
  const { smtp } = config()
  replaceConfig({ mailName, smtp: { url: smtp?.url ?? '', from: 'noreply@beak.example' } })
  await sendMail({ kind: 'test', to: 'anna@pond.example', subject: 'Hello', text: 'Hello.' })
  expect(server.mails[0]?.split('\r\n')).toContain(header)
  expect(server.senders).toEqual(['noreply@beak.example'])
})
