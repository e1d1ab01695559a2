import type { ToolName } from '../layout'
import { claude } from './claude'
import { codex } from './codex'
import type { CodingTool } from './tool'

export const tools: Record<ToolName, CodingTool> = { claude, codex }
