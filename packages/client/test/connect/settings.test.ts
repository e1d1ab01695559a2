/** The settings of coding agents: what `beak connect` writes, and that it can be taken back. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { layoutIn, type ToolName, toolNames } from '../../src/connect/layout'
import { applyEdit, diffText, readSettings, SettingsError, undoEdit } from '../../src/connect/settings'
import type { EditedFile } from '../../src/connect/state'
import type { Programs } from '../../src/connect/tools/tool'
import { tools } from '../../src/connect/tools/tools'

const base = mkdtempSync(join(tmpdir(), 'beak-settings-'))
afterAll(() => rmSync(base, { recursive: true }))

let home: string
let programs: Programs
const env = () => ({ NODE_ENV: 'test' as const, HOME: home })
beforeEach(() => {
  home = mkdtempSync(join(base, 'home-'))
  const layout = layoutIn(join(home, '.config', 'beak'))
  programs = { layout, node: '/usr/bin/node', program: join(layout.programs, 'x', 'beak-connect.mjs') }
})

const at = (...names: string[]) => join(home, ...names)

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function install(tool: ToolName): Promise<EditedFile[]> {
  const edits = await tools[tool].plan(env(), programs)
  for (const edit of edits) await applyEdit(edit)
  return edits
}

const undo = (tool: ToolName, edits: EditedFile[], trusted: string[] = []) =>
  Promise.all(
    edits.map((edit) =>
      undoEdit(edit, (text) => tools[tool].without(edit.path, text, programs.layout, trusted)),
    ),
  )

/** Settings as people have them: odd indents, other hooks, other line ends. */
const odd: Record<string, [ToolName, string, string]> = {
  'an empty file': ['claude', '.claude/settings.json', ''],
  'an empty object': ['claude', '.claude/settings.json', '{}'],
  tabs: ['claude', '.claude/settings.json', '{\n\t"model": "opus",\n\t"hooks": {}\n}'],
  'four blanks and no line end': ['claude', '.claude/settings.json', '{\n    "env": {"A": "1"}\n}'],
  'line ends of Windows': ['claude', '.claude/settings.json', '{\r\n  "model": "opus"\r\n}\r\n'],
  'other hooks of the same events': [
    'claude',
    '.claude/settings.json',
    '{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "x" } ] } ], "Notification": [] } }\n',
  ],
  'one line with many servers': [
    'claude',
    '.claude.json',
    '{"mcpServers":{"a":{"command":"a"}},"projects":{"/x":{"history":[1,2]}}}',
  ],
  'hooks of Codex': [
    'codex',
    '.codex/hooks.json',
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"y"}]}]}}',
  ],
  'TOML without a line end': [
    'codex',
    '.codex/config.toml',
    'model = "gpt-5" # mine\n\n[features]\nweb = true',
  ],
  'TOML with line ends of Windows': [
    'codex',
    '.codex/config.toml',
    'model = "x"\r\n[mcp_servers.other]\r\ncommand = "o"\r\n',
  ],
}

describe('the settings of a home', () => {
  it.each(Object.entries(odd))(
    'with %s become what they were, byte for byte',
    async (_, [tool, name, text]) => {
      write(at(name), text)
      const edits = await install(tool)
      expect(readFileSync(at(name), 'utf8')).not.toBe(text)
      expect(await tools[tool].findOpen(env(), programs.layout, home)).toEqual([])
      expect(await undo(tool, edits)).toEqual(edits.map(() => 'restored'))
      expect(readFileSync(at(name), 'utf8')).toBe(text)
    },
  )

  it.each(toolNames)('without files of %s have none afterwards', async (tool) => {
    const edits = await install(tool)
    expect(edits).toHaveLength(2)
    await undo(tool, edits)
    for (const { path } of edits) expect(await readSettings(path)).toBeNull()
  })

  it.each(toolNames)('are not changed a second time for %s', async (tool) => {
    await install(tool)
    expect(await tools[tool].plan(env(), programs)).toEqual([])
  })

  it('keep what Codex adds after the own lines, and lose its trust in the own hooks', async () => {
    write(at('.codex/config.toml'), 'model = "x"\n')
    const edits = await install('codex')
    const key = `${at('.codex/hooks.json')}:pre_tool_use:1:0`
    const trust = `\n[hooks.state."${key}"]\nenabled = true\ntrusted_hash = "sha256:1"\n`
    const others = `\n[hooks.state."${at('.codex/hooks.json')}:pre_tool_use:0:0"]\nenabled = true\n`
    write(at('.codex/config.toml'), `${readFileSync(at('.codex/config.toml'), 'utf8')}${trust}${others}`)
    expect(await tools.codex.plan(env(), programs)).toEqual([])
    await undo('codex', edits, [key])
    expect(readFileSync(at('.codex/config.toml'), 'utf8')).toBe(`model = "x"\n${others}`)
  })

  it('keep their mode', async () => {
    write(at('.claude/settings.json'), '{}')
    chmodSync(at('.claude/settings.json'), 0o640)
    await undo('claude', await install('claude'))
    expect(statSync(at('.claude/settings.json')).mode & 0o777).toBe(0o640)
  })

  it.each(Object.entries(odd))(
    'with %s lose only the own lines after another change',
    async (_, [tool, name, text]) => {
      write(at(name), text)
      const edits = await install(tool)
      const changed = name.endsWith('.toml')
        ? `${readFileSync(at(name), 'utf8')}\n[later]\nadded = true\n`
        : JSON.stringify({ ...JSON.parse(readFileSync(at(name), 'utf8')), later: true }, null, 3)
      write(at(name), changed)
      await undo(tool, edits)
      const left = readFileSync(at(name), 'utf8')
      expect(left).not.toContain(programs.layout.folder)
      if (name.endsWith('.toml'))
        expect(left.replaceAll('\r\n', '\n')).toContain(text.replaceAll('\r\n', '\n').trim())
      else {
        const { hooks = {}, ...others } = JSON.parse(text === '' ? '{}' : text)
        expect(JSON.parse(left)).toEqual({
          ...others,
          later: true,
          ...(Object.keys(hooks).length > 0 ? { hooks } : {}),
        })
      }
    },
  )

  it('with any JSON object become what they were', async () => {
    const values = fc
      .dictionary(fc.string(), fc.jsonValue())
      .filter((value) => !('hooks' in value) && !('disableAllHooks' in value))
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.constantFrom(0, 2, 4, '\t'),
        fc.boolean(),
        async (value, indent, isWindows) => {
          const text = JSON.stringify(value, null, indent)
          const path = at('.claude/settings.json')
          write(path, isWindows ? text.replace(/\n/g, '\r\n') : text)
          const before = readFileSync(path, 'utf8')
          const edits = await install('claude')
          const { hooks, ...others } = JSON.parse(readFileSync(path, 'utf8'))
          expect(Object.keys(hooks)).toContain('PreToolUse')
          expect(others).toEqual(JSON.parse(text))
          await undo('claude', edits)
          expect(readFileSync(path, 'utf8')).toBe(before)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a settings file that is left alone', () => {
  const faults: Record<string, [string, string]> = {
    'with a comment': ['{ // mine\n}', 'not plain JSON'],
    'with a trailing comma': ['{"a":1,}', 'not plain JSON'],
    'with a byte order mark': ['\uFEFF{}', 'byte order mark'],
    'that is a list': ['[]', 'not a JSON object'],
    'whose hooks are a list': ['{"hooks":[]}', 'unknown form'],
    'that switches all hooks off': ['{"disableAllHooks":true}', 'switches all hooks off'],
  }

  it.each(Object.entries(faults))('%s is named, with the reason', async (_, [text, reason]) => {
    write(at('.claude/settings.json'), text)
    await expect(tools.claude.plan(env(), programs)).rejects.toThrow(SettingsError)
    await expect(tools.claude.plan(env(), programs)).rejects.toThrow(reason)
    expect(readFileSync(at('.claude/settings.json'), 'utf8')).toBe(text)
  })

  it('that is a link is named', async () => {
    write(at('dotfiles/settings.json'), '{}')
    mkdirSync(at('.claude'))
    symlinkSync(at('dotfiles/settings.json'), at('.claude/settings.json'))
    await expect(tools.claude.plan(env(), programs)).rejects.toThrow('a link')
  })

  it('that is read-only is named', async () => {
    write(at('.claude/settings.json'), '{}')
    chmodSync(at('.claude/settings.json'), 0o444)
    await expect(tools.claude.plan(env(), programs)).rejects.toThrow(/read-only|may not write/)
  })

  it('that is no TOML is named', async () => {
    write(at('.codex/config.toml'), 'model = \n')
    await expect(tools.codex.plan(env(), programs)).rejects.toThrow('not TOML')
  })

  it('that changes between the plan and the change is not overwritten', async () => {
    write(at('.claude/settings.json'), '{}')
    const [edit] = await tools.claude.plan(env(), programs)
    write(at('.claude/settings.json'), '{"model":"opus"}')
    await expect(applyEdit(edit as EditedFile)).rejects.toThrow('changed by another program')
    expect(readFileSync(at('.claude/settings.json'), 'utf8')).toBe('{"model":"opus"}')
  })

  it('keeps a server of another program with the name beak', async () => {
    write(at('.claude.json'), '{"mcpServers":{"beak":{"type":"http","url":"https://beak.example/mcp"}}}')
    const edits = await tools.claude.plan(env(), programs)
    expect(edits.map(({ path }) => path)).toEqual([at('.claude/settings.json')])
  })
})

describe('what is open', () => {
  it.each([
    ['claude', '.claude/settings.json', '{"disableAllHooks":true}'],
    ['claude', '.claude/settings.local.json', '{"disableAllHooks":true}'],
    ['codex', '.codex/config.toml', '[features]\nhooks = false\n'],
  ] as const)('is found in the project of %s: %s', async (tool, name, text) => {
    await install(tool)
    const project = mkdtempSync(join(base, 'project-'))
    write(join(project, name), text)
    expect(await tools[tool].findOpen(env(), programs.layout, project)).toEqual([
      expect.stringContaining(project),
    ])
    expect(await tools[tool].findOpen(env(), programs.layout, home)).toEqual([])
  })

  it.each(toolNames)('is a hook of %s that somebody has changed or removed', async (tool) => {
    const [edit] = await install(tool)
    write(edit?.path ?? '', (edit?.after ?? '').replaceAll('86400', '"86400"'))
    expect(await tools[tool].findOpen(env(), programs.layout, home)).toEqual([
      expect.stringContaining('gone or changed'),
    ])
    write(edit?.path ?? '', '{}')
    expect(await tools[tool].findOpen(env(), programs.layout, home)).toHaveLength(1)
  })
})

describe('diffText', () => {
  it('shows the lines that come and go, with two lines around them', () => {
    const edit = { path: '/x', before: '1\n2\n3\n4\n5\n6\n', after: '1\n2\n3\nnew\n5\n6\n' }
    expect(diffText({ path: '/y', before: null, after: 'new\n' })).toBe('/y (new)\n+new')
    expect(diffText(edit)).toBe('/x\n 2\n 3\n-4\n+new\n 5\n 6')
  })
})
