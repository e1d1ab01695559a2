/**
 * Whether this process is a test service (`beak dev`). Its clock can be moved and its test accounts answer by themselves, so everything that it
 * signs carries `test: true`, and verifiers refuse that by default (contract G, Test services). Only the entry point of `beak dev` calls
 * `startTestService`; no configuration does.
 */
import { singleton } from '@/lib/kernel/runtime/singleton'

const state = singleton('test-service', () => ({ isTest: false, accounts: new Set<string>() }))

export const isTestService = (): boolean => state.isTest

/** Returns an object with the mark of a test service, in a test service. An ordinary service returns it unchanged. */
export function marked<T extends object>(value: T): T {
  return state.isTest ? { ...value, test: true } : value
}

/** Makes this process a test service until it ends. */
export function startTestService(): void {
  state.isTest = true
}

/** Makes an account of a test service one that a suite of tests may ask as often as it likes: no pause, and no limit of waiting requests. */
export function addTestAccount(ducklingId: string): void {
  if (!state.isTest) throw new Error('Only a test service has test accounts.')
  state.accounts.add(ducklingId)
}

export const isTestAccount = (ducklingId: string): boolean => state.accounts.has(ducklingId)
