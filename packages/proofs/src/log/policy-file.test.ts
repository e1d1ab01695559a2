import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pinnedKeys } from '../log-keys'
import { type LogPolicy, parseLogPolicy } from './policy-file'
import { isQuorumReached } from './quorum'

interface Vectors {
  valid: {
    about: string
    text: string
    logs: string[]
    witnesses: string[]
    quorum: { cosigned: string[]; reached: boolean }[] | null
  }[]
  invalid: { about: string; text: string; times?: number; line: number | null }[]
}
const vectors: Vectors = JSON.parse(readFileSync('docs/audit/vectors/policy-files.json', 'utf8'))

const isReached = ({ quorum, witnesses }: LogPolicy, cosigned: string[]) => {
  const vkeys = witnesses.filter(({ name }) => cosigned.includes(name)).map(({ vkey }) => vkey)
  return quorum !== null && isQuorumReached(quorum, pinnedKeys(vkeys, 'cosignature'))
}
const faultOf = (text: string): string => {
  try {
    parseLogPolicy(text)
    return 'valid'
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
}

describe('parseLogPolicy', () => {
  it.each(vectors.valid)('reads a file: $about', ({ text, logs, witnesses, quorum }) => {
    const policy = parseLogPolicy(text)
    expect(policy.logs.map(({ vkey }) => vkey)).toEqual(logs)
    expect(policy.witnesses.map(({ name }) => name)).toEqual(witnesses)
    expect(policy.quorum === null).toBe(quorum === null)
    const found = quorum?.map(({ cosigned }) => ({ cosigned, reached: isReached(policy, cosigned) }))
    expect(found ?? null).toEqual(quorum)
  })

  it.each(vectors.invalid)('refuses a file and names the line: $about', ({ text, times = 1, line }) => {
    const fault = faultOf(text.repeat(times))
    expect(fault).toMatch(line === null ? /^(A|The) log policy / : new RegExp(`^Line ${line}: `))
  })

  it('says what to do', () => {
    expect(faultOf('quorum a\n')).toBe(
      'Line 1: No line above defines "a". Define the witness or the group first.',
    )
    expect(faultOf('quorum none\r\n')).toContain('Save the file with line feeds only')
    expect(faultOf('')).toContain('Add the line: quorum <name>')
    expect(faultOf('log x')).toContain('"x" is not the Ed25519 verifier key of a log. Copy the whole key')
  })

  it('keeps the addresses', () => {
    const text = vectors.valid.find(({ about }) => about.includes('comments, tabs'))?.text ?? ''
    const { logs, witnesses } = parseLogPolicy(text)
    expect([logs[0]?.url, witnesses[0]?.url]).toEqual([
      'https://pond.example/.well-known/tlog',
      'https://witness.example',
    ])
  })
})

describe('isQuorumReached', () => {
  it('never accepts an empty group, nor a threshold below one', () => {
    for (const threshold of [0, -1, Number.NaN, 1])
      expect(isQuorumReached({ name: 'g', threshold, members: [] }, [])).toBe(false)
  })
})
