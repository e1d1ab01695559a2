import manifest from '@/package.json'

/** The version of this service, from package.json. */
export const version: string = manifest.version

/** Spec silent: the version of the public counts. It changes when their meaning changes. */
export const galaxyVersion = '1'
