/** `localhost`, `127.0.0.1` or `[::1]`, as written: no other spelling, no user name, and nothing that a parser would remove. */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/|$)/i

/** Tells whether only programs on this computer can answer at an address. A test service (`beak dev`) has no other address. */
export function isLoopback(address: string): boolean {
  return loopback.test(address)
}

/** Tells whether two addresses are one service. This computer has several names, so there the port and the path decide. */
export function isSameService(left: string, right: string): boolean {
  const withoutHost = (address: string) => address.replace(loopback, 'http://loopback:$1/')
  return left === right || (isLoopback(left) && isLoopback(right) && withoutHost(left) === withoutHost(right))
}
