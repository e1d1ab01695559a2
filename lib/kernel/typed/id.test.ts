import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handleField } from '@/lib/kernel/request/handle'
import { idSchema, newId } from '@/lib/kernel/secrets/ids'
import { readHandle, readId, readPersonRef } from './id'

const id = 'CERT-01JDAB0C1DEFGH2JKMNPQRST3V'

describe('a typed id', () => {
  it.each([
    id,
    id.toLowerCase(),
    ` ${id}\n`,
    'CERT 01JD AB0C 1DEF GH2J KMNP QRST 3V',
    'cert–01jd-ab0c-1def-gh2j-kmnp-qrst-3v',
    'CERT-OIJDABOCLDEFGH2JKMNPQRST3V',
    'ＣＥＲＴ－０１ＪＤＡＢ０Ｃ１ＤＥＦＧＨ２ＪＫＭＮＰＱＲＳＴ３Ｖ',
    'CERT-٠١JDAB٠C١DEFGH٢JKMNPQRST٣V',
  ])('is read from %j', (typed) => {
    expect(idSchema('certificate').parse(typed)).toBe(id)
  })

  it.each([
    `AGT-${id.slice(5)}`,
    id.slice(5),
    `${id}U`,
    `${id}.`,
    id.replace('C1', 'С1'),
    `CERT-ſ${id.slice(6)}`,
    `CERT-ß${id.slice(6)}`,
    '',
  ])('is not read from %j', (typed) => {
    expect(idSchema('certificate').safeParse(typed).success).toBe(false)
  })

  it('is never changed when the service made it', () => {
    for (let made = 0; made < 200; made++) {
      const own = newId('certificate', new Date(made * 1e9))
      expect(idSchema('certificate').parse(own)).toBe(own)
    }
  })
})

describe('a typed handle', () => {
  it.each(['mallard', '@mallard', ' @Mallard ', '＠ｍａｌｌａｒｄ'])('is read from %j', (typed) => {
    expect(handleField.parse(typed)).toBe('mallard')
  })

  it.each(['@@mallard', 'mal lard', 'mаllard', 'mállard', 'ma', 'mallard@'])(
    'is not read from %j',
    (typed) => {
      expect(handleField.safeParse(typed).success).toBe(false)
    },
  )
})

it.each([
  ['id', (text: string) => readId('CERT', text)],
  ['handle', readHandle],
  ['person', readPersonRef],
])('reads what it has read as the same (%s)', (_, reader) => {
  const pieces = fc.constantFrom(
    'CERT',
    'DUCK',
    'cert',
    '-',
    '–',
    ' ',
    '@',
    '＠',
    'O',
    'l',
    '٣',
    'U',
    'found_',
    'ß',
    'ı',
    '\u200b',
  )
  const texts = fc.array(pieces).map((parts) => parts.join(''))
  fc.assert(fc.property(texts, (text) => reader(reader(text)) === reader(text)))
})
