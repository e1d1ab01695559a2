import { expect, it } from 'vitest'
import { loadJudge, type Place, sentenceOf } from './index'

const place: Place = {
  home: '/home/ada',
  folder: '/home/ada/shop',
  git: { branch: 'main', remotes: { origin: 'git@example.com:ada/shop.git' }, aliases: {} },
  changedBuildFiles: [],
  guardedPaths: [],
}
const { judge } = await loadJudge()
const bash = (command: string) =>
  judge({ agent: 'claude', tool: 'Bash', input: { command }, cwd: '/home/ada/shop' }, place)

it('passes a command that only reads', () => {
  expect(bash('git status && ls -la src')).toEqual({ ask: false })
})

it('asks about a command that deletes, with a sentence for people', () => {
  const judgement = bash('rm -rf ~')
  expect(judgement).toMatchObject({ ask: true, params: { command: 'rm -rf ~' } })
  if (judgement.ask) for (const reason of judgement.reasons) expect(sentenceOf(reason)).toMatch(/^[A-Z].*\.$/)
})

it('asks about a line that cannot be parsed', () => {
  expect(bash("echo 'hello").ask).toBe(true)
})
