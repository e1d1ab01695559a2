/** The command line of the benchmark. `run.mjs` starts it. */
import { runWithCleanup } from './cleanup'
import { help } from './help'

async function main([command = '', ...args]: string[]): Promise<void> {
  if (command === '--help' || command === 'help') return void process.stdout.write(help)
  if (command === '') return (await import('./compare')).compare()
  if (command === 'list') return (await import('./list')).list()
  if (command === 'load') return (await import('./load')).load(args)
  if (command === 'builds') return (await import('./builds')).builds(args)
  if (command === 'growth') return (await import('./growth')).growth()
  if (command === 'reach') return (await import('./reach/reach')).reach()
  if (command === 'heavy') return (await import('./heavy')).heavy()
  if (command === 'rules') return (await import('./rules')).rules()
  if (command === 'streams') return (await import('./streams/streams')).streams()
  if (command === 'memory') return (await import('./memory/memory')).memory()
  if (command === 'soak') return (await import('./memory/soak')).soak()
  if (command === 'profile') return (await import('./profile')).profile(args)
  throw new Error(`There is no command "${command}".\n\n${help}`)
}

await runWithCleanup(() => main(process.argv.slice(2)))
