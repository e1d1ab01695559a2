/** Lines of the route table for rules (docs/rules.md). */
import * as ruleAnswers from '../rule/answers/route'
import * as ruleBudget from '../rule/budget/route'
import * as ruleBudgets from '../rule/budgets/route'
import * as ruleCreate from '../rule/create/route'
import * as ruleEndPreview from '../rule/end/preview/route'
import * as ruleEnd from '../rule/end/route'
import * as ruleList from '../rule/list/route'
import * as rulePause from '../rule/pause/route'
import * as ruleRehearse from '../rule/rehearse/route'
import * as ruleResume from '../rule/resume/route'
import * as ruleUpdate from '../rule/update/route'
import * as ruleView from '../rule/view/route'
import type { Table } from './serve'

export const ruleRoutes = {
  '/beak/rule/answers': ruleAnswers,
  '/beak/rule/budget': ruleBudget,
  '/beak/rule/budgets': ruleBudgets,
  '/beak/rule/create': ruleCreate,
  '/beak/rule/end': ruleEnd,
  '/beak/rule/end/preview': ruleEndPreview,
  '/beak/rule/list': ruleList,
  '/beak/rule/pause': rulePause,
  '/beak/rule/rehearse': ruleRehearse,
  '/beak/rule/resume': ruleResume,
  '/beak/rule/update': ruleUpdate,
  '/beak/rule/view': ruleView,
} satisfies Table
