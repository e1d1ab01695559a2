/** Every command, in the order of the help. */
import type { Command } from './command'
import { logout, whoami } from './commands/account'
import { agentBond, agentList, agentRegister, agentRotate, agentVerify } from './commands/agent'
import { api } from './commands/api'
import { ask } from './commands/ask'
import { auditVerify } from './commands/audit'
import { certShow, certVerify } from './commands/cert'
import { completion } from './commands/completion'
import { connect } from './commands/connect'
import { connectReport, connectStatus, disconnect } from './commands/connect-status'
import { dev } from './commands/dev'
import { hook } from './commands/hook'
import { login } from './commands/login'
import { peckAsk, peckList, peckShow, peckWait } from './commands/peck'
import { peckApprove, peckDecide, peckReject, peckUndo } from './commands/peck-decide'
import { receiptVerify } from './commands/receipt'
import { ruleCreate, ruleEnd, ruleList, rulePause, ruleRehearse, ruleResume, ruleView } from './commands/rule'
import { trigger } from './commands/trigger'
import { webhookListen } from './commands/webhook'

export const commands: readonly Command[] = [
  connect,
  connectStatus,
  connectReport,
  disconnect,
  login,
  logout,
  whoami,
  agentRegister,
  agentBond,
  agentRotate,
  agentList,
  agentVerify,
  ask,
  peckAsk,
  peckWait,
  peckList,
  peckShow,
  peckApprove,
  peckReject,
  peckUndo,
  peckDecide,
  ruleList,
  ruleView,
  ruleRehearse,
  ruleCreate,
  rulePause,
  ruleResume,
  ruleEnd,
  certShow,
  certVerify,
  receiptVerify,
  auditVerify,
  webhookListen,
  hook,
  api,
  dev,
  trigger,
  completion,
]
