// GET /oauth/authorize: the consent page.
import { judgeConsent } from './consent.js';
import type { Engine } from '../engine.js';
import { consentErrorPage, consentPage } from './consent-page.js';
import type { Router } from '../http/responses.js';

export function registerShowConsent(router: Router, engine: Engine): void {
  router.get('/oauth/authorize', (c) => {
    const judgement = judgeConsent(engine, c.req.query());
    if (judgement.kind === 'stop') return c.html(consentErrorPage(judgement.explanation), 400);
    if (judgement.kind === 'redirect') return c.redirect(judgement.location);
    return c.html(consentPage(judgement.request, judgement.scopes));
  });
}
