/** docs/recipes/param-type.md: a type that holds only when the asker declares it. */
import { type Edits, RecipeFault } from './edit'
import { capital, checked } from './names'

export function addParamType(edits: Edits, given: string | undefined): void {
  const name = checked(given, /^[a-z]{3,20}$/, 'the type, for example phone')
  if (edits.read('packages/decision/src/param-types.ts').includes(`'${name}'`))
    throw new RecipeFault(`The type ${name} exists already.`)
  const check = `is${capital(name)}`
  edits.insertAfter('packages/decision/src/param-types.ts', /^ {2}'email',$\n/m, `  '${name}',\n`)
  const forms = 'packages/decision/src/display/param-types.ts'
  edits.insertAfter(
    forms,
    /^ {2}email: \{ fits: isEmail, isFound: isEmail \},$\n/m,
    `  ${name}: { fits: ${check}, isFound: () => false },\n`,
  )
  edits.insertBefore(
    forms,
    /^function isUrl\(/m,
    `function ${check}(value: unknown): boolean {\n  return typeof value === 'string' && ${name}Text.test(value.trim())\n}\n\n`,
  )
  edits.insertBefore(
    forms,
    /^const urlText = /m,
    `/** One line with at most 80 characters. */\nconst ${name}Text = /^.{1,80}$/\n`,
  )
  edits.insertBefore(
    'app/(account)/pecks/_values/value.tsx',
    /^ {4}case 'url':$/m,
    `    case '${name}':\n      return <MarkedText text={text} />\n`,
  )
  edits.insertBefore(
    'packages/decision/src/display/display.test.ts',
    /^describe\('dateWords'/m,
    testText(name),
  )
}

const testText = (name: string) => `describe('${name}', () => {
  it('is the type of a text that is declared to have it', () => {
    expect(displayValue('value', 'one line', '${name}').type).toBe('${name}')
  })

  it('is not found without a declaration', () => {
    expect(displayValue('value', 'one line', undefined).type).not.toBe('${name}')
  })

  it('does not fit two lines', () => {
    expect(displayValue('value', 'one\\ntwo', '${name}').type).not.toBe('${name}')
  })
})

`
