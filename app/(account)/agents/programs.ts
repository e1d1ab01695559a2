/** The programs that an agent can be. The owner chooses one, and gets the block or the command for it. */
import { m } from '@/lib/kernel/messages'

const ids = ['claude', 'codex', 'cursor', 'mcp', 'own'] as const
export type ProgramId = (typeof ids)[number]

export interface Program {
  id: ProgramId
  /** How the choice names it. */
  label(): string
  /** The type of an agent of this program, which everybody can see. */
  type: string
  /** The name of an agent that gets none. */
  defaultName(): string
}

const named = (id: ProgramId, type: string, name: string): Program => ({
  id,
  type,
  label: () => name,
  defaultName: () => name,
})

export const programs: Program[] = [
  named('claude', 'claude-code', 'Claude Code'),
  named('codex', 'codex', 'Codex'),
  named('cursor', 'cursor', 'Cursor'),
  { id: 'mcp', type: 'assistant', label: m.agents_program_mcp, defaultName: m.agents_program_mcp_name },
  { id: 'own', type: 'service', label: m.agents_program_own, defaultName: m.agents_program_own_name },
]

const [first] = programs as [Program, ...Program[]]

/** Returns the program with this id, and the first one for any other text. */
export const programOf = (id: string): Program => programs.find((program) => program.id === id) ?? first

/** Returns the program that an agent of this type probably is. */
export const programOfType = (agentType: string): Program =>
  programs.find(({ type }) => type === agentType) ?? first
