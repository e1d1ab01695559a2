/** What the verbs of command lines say, by the words of the rules of risk. */

import { readAction } from '@beak/decision/risk/action'
import type { Level } from '../types'

/** Verbs with which command lines read. The rules of risk know more. */
const reading =
  /^(?:ls|list(?:-.*)?|get(?:-.*)?|describe(?:-.*)?|show(?:-.*)?|view|status|statuses|logs?|tail|ps|info|inspect|top|explain|version|help|whoami|search|find|query|diff|plan|validate|lint|check|checks|audit|outdated|history|watch|wait|events?|stats|port|images?|cat|head(?:-.*)?|fetch|pull|download|template|test|preview|doctor|context|contexts|current(?:-.*)?|config-list|graph|providers|output|fmt|format|completion|api-resources|cluster-info|batch-get-.*|filter-.*|lookup-.*|estimate.*|simulate.*|read|count|export|man|docs|browse|use|which|login-status|tree|why|metadata|ping|scan|verify|analyze|bench|profile|trace|monitor|repl|console|serve|dev|start|run|build|compile|generate|gen|new|init|synth|local|emulators:.*|typecheck|types|schema|introspect|pods|detect)$/
/** Words that make a script or a task more than building and testing. */
const acting =
  /(?:^|[:_./-])(?:deploy\w*|publish\w*|release\w*|ship|promote|rollback|rollout|prod|production|live|destroy|nuke|wipe|purge|teardown|tear-down|drop|truncate|reset|flush|delete|remove-all|erase|push|upload|sync-prod|send|notify|email|mail|announce|tweet|pay|charge|refund|purchase|buy|migrate-prod|seed-prod|backup-restore|restore|provision|apply|rotate\w*)(?=$|[:_./-])/i

export const readsByVerb = (verb: string): boolean => reading.test(verb)

/** Whether the name of a script or of a task says that it does more than build and test. */
export const actsByName = (name: string): boolean =>
  acting.test(name) && !/(?:^|[:_-])(?:dry-?run|check|test|lint|preview|local|dev)(?=$|[:_-])/i.test(name)

/** Returns how much is at stake, as the rules of risk read a verb and its object. */
export function levelOfVerb(verb: string, object: string): Level {
  const facts = readAction(`${verb}:${object}`)
  const isHigh =
    facts.irreversible?.isDestructive === true ||
    facts.secret !== null ||
    facts.control !== null ||
    facts.safeguard !== null ||
    facts.pays !== null ||
    facts.isProduction
  return isHigh ||
    /^(?:deploy|publish|release|destroy|delete|rm|terminate|drain|apply|promote|transfer)/.test(verb)
    ? 'high'
    : 'medium'
}
