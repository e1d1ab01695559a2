/** The commands of a release. It needs Node.js and nothing else. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const release = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))
const usualEnvFile = '/etc/beak/beak.env'

const usage = `Beak ${release.version}

  beak start                  runs the service
  beak operator <command>     runs a command of the operator; "beak operator help" lists them
  beak witness --log <vkey>   runs a witness of transparency logs
  beak health                 ends with 0 when the service on this machine can work; for health checks of containers
  beak version                prints the version

Environment variables configure the service. ${usualEnvFile} has them when it exists, one NAME=value a line, and
"beak --env=<file> …" names another file, or none with /dev/null. Variables that are set already win.
`

function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    stop(`Beak needs Node.js 20.19 or newer, and this is ${process.version}.`)
}

/** The password hash has native code. */
function checkPlatform() {
  const wanted = `${release.platform} on ${release.arch}`
  const found = `${process.platform} on ${process.arch}`
  if (wanted !== found)
    stop(
      `This release is for ${wanted}, and this machine has ${found}. Run "npm run release" in the source code on a machine like this one.`,
    )
}

/** Sets the variables of the file. Stops when the file cannot be read: a service without it would start with an empty database. */
function loadVariables(given) {
  const file = given ?? usualEnvFile
  if (given === undefined && !existsSync(file)) return
  try {
    accessSync(file, constants.R_OK)
    process.loadEnvFile(file)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    stop(
      `${file} cannot be read (${reason}). Run this command as the user of the service: runuser -u beak -- beak …`,
    )
  }
}

/** Runs a program as if it had been started with these arguments. */
async function run(name, args, envFile) {
  checkPlatform()
  loadVariables(envFile)
  process.env.NODE_ENV = 'production'
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const program = join(folder, 'build', `${name}.mjs`)
  process.argv = [process.execPath, program, ...args]
  // The service and its commands read the files of the release. A witness has its own folder.
  if (name !== 'witness') process.chdir(folder)
  await import(pathToFileURL(program).href)
}

/** Asks the service whether it can work. Stops with 1 when it cannot, or does not answer. */
async function checkHealth() {
  const url = `http://127.0.0.1:${process.env.PORT || 3000}/readyz`
  const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null)
  if (answer?.ok !== true)
    stop(`${url}: ${answer === null ? 'no answer' : `${answer.status} ${await answer.text()}`}`)
}

checkNode()
const line = process.argv.slice(2)
// Not --env-file, which some versions of Node.js take for themselves here.
const option = '--env='
const envFile = line[0]?.startsWith(option) ? resolve(line.shift().slice(option.length)) : undefined
const [command = 'help', ...args] = line
if (command === 'start') await run('server', args, envFile)
else if (command === 'operator' || command === 'witness') await run(command, args, envFile)
else if (command === 'health') {
  loadVariables(envFile)
  await checkHealth()
} else if (command === 'version' || command === '--version') process.stdout.write(`${release.version}\n`)
else if (command === 'help' || command === '--help' || command === '-h') process.stdout.write(usage)
else stop(`Beak has no command ${command}.\n\n${usage}`)
