/**
 * The action of the test request that the owner of an agent has Beak send. The action is the mark of the test: it is in
 * the statement that is signed, in receipts, events and webhooks. No agent can ask for it, and an approval of it permits nothing.
 */
export const testAction = 'test:request'

/** Whether a peck with this action is a test request. */
export const isTestRequest = (action: string): boolean => action === testAction
