// The pages of the console on 200,000 agreements, each read as a browser does. Temporal has forgotten all of them, so the records answer.
import { judge, percentile } from '../figures.js';
import { CONNECTION, uidOf } from './fill.js';
import type { RecordsStack } from './stack.js';

const TIMES = 40;
const LIMIT_MS = 150;

const OLD = uidOf(150_000);

/** The first of each is not measured, because its statements are not prepared yet. */
const PAGES: Readonly<Record<string, string>> = {
  home: '',
  'an agreement': `/agreements/${OLD}`,
  'agreements, newest first': '/agreements',
  'agreements in a state': `/agreements?state=created&connection=${CONNECTION}`,
  'agreements of a month': '/agreements?from=2026-08-01&until=2026-09-01',
  payments: '/payments?state=failed',
  day: '/day',
  'unmatched credits': '/unmatched-credits',
  'float accounts': '/float-accounts',
  connections: '/connections',
  stops: '/stop',
  events: '/events',
  'webhook endpoints': '/webhook-endpoints',
  'search of a uid': `/search?q=${OLD}`,
  'search of an amount': '/search?q=%2442.00',
  'search of metadata': '/search?q=order%3D77',
};

/** Signs in, then judges the slowest requests of each page. */
export async function measurePages({ signIn, forgetWorkflows }: RecordsStack): Promise<void> {
  forgetWorkflows();
  const read = await signIn();
  for (const [what, path] of Object.entries(PAGES)) {
    const times: number[] = [];
    await read(path);
    while (times.length < TIMES) {
      const beganMs = performance.now();
      await read(path);
      times.push(performance.now() - beganMs);
    }
    judge({ what: `console, ${what}: ms p95`, met: percentile(times, 95), limit: LIMIT_MS });
  }
}
