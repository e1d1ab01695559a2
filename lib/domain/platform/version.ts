import manifest from '@/package.json'

/** The version of this service: the package's. */
export const version: string = manifest.version

/** Spec silent: the generation of ducklings, agents and pecks the public counts speak of. Changes with what they mean. */
export const galaxyVersion = '1'
