// GET /oauth/authorize: the consent page.
import { judgeConsent } from './consent.js';
import type { Engine } from '../engine.js';
import { consentErrorPage, consentPage } from './consent-page.js';
import type { Router } from '../http/responses.js';

export function registerShowConsent(router: Router, { settings }: Engine): void {
  router.get('/oauth/authorize', (c) => {
    const judgement = judgeConsent(settings, c.req.query());
    if (judgement.kind === 'stop') return c.html(consentErrorPage(judgement.explanation), 400);
    if (judgement.kind === 'redirect') return c.redirect(judgement.location);
    return c.html(consentPage(judgement.request, judgement.scopes));
  });
}
