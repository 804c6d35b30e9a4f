// GET /: the sandbox at a glance, newest first.
import type { Engine } from '../engine.js';
import { frontPage } from './front-page.js';
import type { Router } from '../http/responses.js';

export function registerShowFrontPage(router: Router, { store, clock, scheduler }: Engine): void {
  router.get('/', (c) => {
    scheduler.catchUp();
    const agreements = [...store.agreements.values()].toReversed();
    const payments = [...store.payments.values()].toReversed();
    return c.html(frontPage({ now: clock.iso(), agreements, payments }));
  });
}
