import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { insecureReason, mayInstall } from '@/lib/kernel/service/client-packages'
import { connectCommand, cursorLink, geminiCommand } from '../address-commands'

interface Way {
  name: string
  /** Whether `name` is the name of a product, which is the same in every language. Default: true. */
  isProduct?: boolean
  how: ReactNode
  /** What the person runs. */
  command?: string
}

/** A coding agent, which the command connects: then it asks even when it would forget to. */
function connected(tool: string): Way {
  const { baseUrl } = config()
  const link = (children: ReactNode) => (
    <Link href="/docs/agents/coding-agents" className="underline">
      {children}
    </Link>
  )
  if (!mayInstall(baseUrl)) return { name: tool, how: insecureReason }
  return {
    name: tool,
    command: connectCommand(baseUrl),
    how: <Sentence of={m.ways_how_connect} with={{ tool }} parts={{ link }} />,
  }
}

/**
 * Where each program takes the address of the MCP server, as their makers wrote in November 2026. docs/pages/agents/mcp.md has the same.
 * https://support.claude.com/en/articles/11503834-building-custom-integrations-via-remote-mcp-servers
 * https://developers.openai.com/api/docs/guides/custom-mcp-server, https://code.visualstudio.com/docs/agents/reference/mcp-configuration
 */
function waysOf(url: string): Way[] {
  return [
    { name: 'Claude', how: m.ways_how_claude() },
    {
      name: 'ChatGPT',
      how: (
        <Sentence
          of={m.ways_how_chatgpt}
          parts={{
            link: (children) => (
              <a href="https://chatgpt.com/plugins" className="underline">
                {children}
              </a>
            ),
          }}
        />
      ),
    },
    connected('Claude Code'),
    connected('Codex'),
    {
      name: 'Cursor',
      how: (
        <>
          <a href={cursorLink(url)} className={buttonClass('plain')}>
            {m.ways_add_to_cursor()}
          </a>
          <span className="mt-3 block">{m.ways_how_cursor()}</span>
        </>
      ),
    },
    { name: 'VS Code', how: m.ways_how_vs_code() },
    { name: 'Gemini CLI', how: m.ways_how_gemini(), command: geminiCommand(url) },
    { name: m.ways_program_another(), isProduct: false, how: m.ways_how_other() },
  ]
}

/** What to do with the address in each program. One opens at a time. */
export function HowToConnect({ url }: { url: string }) {
  return (
    <div className="border-b border-line">
      {waysOf(url).map(({ name, isProduct = true, how, command }) => (
        <details key={name} name="how" className="border-t border-line">
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
            {isProduct ? <bdi translate="no">{name}</bdi> : name}
          </summary>
          <div className="grid gap-3 pb-4">
            {command === undefined ? null : (
              <CopyBlock label={m.agents_run_command()} text={command} isExpanded />
            )}
            <p className="text-sm">{how}</p>
          </div>
        </details>
      ))}
    </div>
  )
}
