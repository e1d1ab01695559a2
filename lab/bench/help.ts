export const help = `npm run bench                         measures all scenarios and writes lab/bench/RESULTS.md
npm run bench -- builds FOLDER        compares the build of another checkout with this one, in short turns:
                                      use many, such as ROUNDS=25 SECONDS=0.7
npm run bench -- load N               fills the database of DATABASE_URL with N people
npm run bench -- growth               compares small and large databases, and small and large accounts
npm run bench -- reach                measures announcements on channels with many subscriptions
npm run bench -- rules                measures requests that rules answer
npm run bench -- heavy                measures a light call alone and beside an account with heavy calls
npm run bench -- streams              measures idle event streams over three instances, and how fast events arrive
npm run bench -- memory               measures memory in several settings, and lists what holds the heap
npm run bench -- soak                 measures memory over half an hour of load
npm run bench -- profile SCENARIO     writes a CPU profile of one scenario to build/bench
npm run bench -- list                 prints the names of the scenarios

Environment (all optional):
  ROUNDS, SECONDS      rounds, and seconds for each scenario and round (3, 3)
  CONNECTIONS, FLOWS   single requests in flight; flows of several requests in flight (32, 16)
  ONLY                 regular expression: measures only the rows that match, and the references of their goals
  BENCH_DATABASE_URL   a PostgreSQL server on which the benchmark may create databases. Without it, the server on
                       127.0.0.1:5432, else installed binaries, which the benchmark starts with default durability.
                       Without any of them, the rows on PostgreSQL are skipped.
  BENCH_NODE           the program of another version of Node.js, for one more server on PostgreSQL beside the others
  BENCH_PORT           the first of the ports that the servers use (4900)
  GROWTH_SMALL, GROWTH_LARGE                        people in the two databases of "growth" (1,000 and 1,000,000)
  GROWTH_PECKS, GROWTH_EVENTS, GROWTH_DELIVERIES    rows of the large account (100,000, 1,000,000 and 100,000)
  REACH_SUBSCRIPTIONS, REACH_SECONDS                subscriptions of "reach", and seconds for each of its loads (100,000 and 15)
  HEAVY_SECONDS        seconds for each load of "heavy" (20)
  SOAK_MINUTES         minutes of "soak" (30)
  STREAMS_COUNT, STREAMS_SECONDS                    streams of "streams", and seconds for each of its two parts (2,000 and 15)

The benchmark listens and connects on loopback only, and stops only processes that it started.
`
