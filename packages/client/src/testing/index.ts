/** A fake of the service for the tests of programs. Ordinary code never imports it. */
export { FakeBeak, type FakeCall, type FakeOptions, type FakePerson } from './fake-beak'
