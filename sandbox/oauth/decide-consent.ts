// POST /oauth/authorize: a person has pressed Allow or Deny, or a test has posted the same.
import { backTo, judgeConsent } from './consent.js';
import type { Engine } from '../engine.js';
import { readForm } from '../http/form.js';
import { issueCode } from './grants.js';
import { consentErrorPage } from './consent-page.js';
import type { Router } from '../http/responses.js';

export function registerDecideConsent(router: Router, engine: Engine): void {
  router.post('/oauth/authorize', async (c) => {
    const form = (await readForm(c)) ?? {};
    const judgement = judgeConsent(engine, form);
    if (judgement.kind === 'stop') return c.html(consentErrorPage(judgement.explanation), 400);
    if (judgement.kind === 'redirect') return c.redirect(judgement.location);
    const { request, scopes, challenge } = judgement;
    const { redirect_uri, state } = request;
    if (form['decision'] === 'deny')
      return c.redirect(backTo(redirect_uri, { error: 'access_denied', state }));
    if (form['decision'] !== 'allow') {
      return c.html(consentErrorPage('The decision must be allow or deny.'), 400);
    }
    const code = issueCode(engine, { redirectUri: redirect_uri, scopes, challenge });
    return c.redirect(backTo(redirect_uri, { code, state }));
  });
}
