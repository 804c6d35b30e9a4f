// GET and POST /oauth/authorize: validate a request, show the consent page, and redirect with the decision.
import type { Engine } from '../engine/parts.js';
import { type Form, readForm } from '../http/request.js';
import type { Router } from '../http/responses.js';
import type { Challenge } from '../store/grant.schema.js';
import { CONSENTERS } from '../tokens/consenters.js';
import { issueCode } from '../tokens/grants.js';
import { challengeIn } from '../tokens/proof-key.js';
import { type ConsentRequest, consentErrorPage, consentPage } from './consent-page.js';

// Validates an authorisation request: show the consent page, redirect with an error, or stop because it may be forged.
export type Judgement =
  | { kind: 'ask'; request: ConsentRequest; scopes: string[]; challenge: Challenge | null }
  /** Redirects only to the registered URI. */
  | { kind: 'redirect'; location: string }
  | { kind: 'stop'; explanation: string };

function judgeConsent({ settings, store }: Engine, asked: Form): Judgement {
  const { clientId, redirectUri } = settings;
  const registered = store.account.scopes;
  const { client_id, redirect_uri, response_type = '', scope = 'public', state = '' } = asked;
  if (client_id !== clientId) return { kind: 'stop', explanation: 'The client_id is unknown.' };
  if (redirect_uri !== redirectUri) {
    return { kind: 'stop', explanation: 'The redirect_uri does not match the registered one.' };
  }
  if (response_type !== 'code') {
    return { kind: 'redirect', location: backTo(redirectUri, { error: 'unsupported_response_type', state }) };
  }
  const scopes = [...new Set(scope.split(' ').filter((name) => name !== ''))];
  if (scopes.length === 0 || !scopes.every((name) => registered.includes(name))) {
    return { kind: 'redirect', location: backTo(redirectUri, { error: 'invalid_scope', state }) };
  }
  const challenge = challengeIn(asked);
  if (challenge === undefined) {
    return { kind: 'redirect', location: backTo(redirectUri, { error: 'invalid_request', state }) };
  }
  const request = { response_type, client_id, redirect_uri, scope, state, ...fieldsOf(challenge) };
  return { kind: 'ask', request, scopes, challenge };
}

function fieldsOf(
  challenge: Challenge | null,
): Pick<ConsentRequest, 'code_challenge' | 'code_challenge_method'> {
  if (challenge === null) return {};
  return { code_challenge: challenge.value, code_challenge_method: challenge.method };
}

/** The redirect URI with the answer. Empty values, such as an absent `state`, are omitted. */
function backTo(redirectUri: string, answer: Record<string, string>): string {
  const location = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) {
    if (value !== '') location.searchParams.set(name, value);
  }
  return location.href;
}

// GET /oauth/authorize: the consent page.
export function registerShowConsent(router: Router, engine: Engine): void {
  router.get('/oauth/authorize', (c) => {
    const judgement = judgeConsent(engine, c.req.query());
    if (judgement.kind === 'stop') return c.html(consentErrorPage(judgement.explanation), 400);
    if (judgement.kind === 'redirect') return c.redirect(judgement.location);
    return c.html(consentPage(judgement.request, judgement.scopes));
  });
}

// POST /oauth/authorize: the user's decision, from the consent page or from a test.
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
    const [first = ''] = CONSENTERS.keys();
    const consenter = form['consenter'] ?? first;
    if (!CONSENTERS.has(consenter)) return c.html(consentErrorPage('The consenter is unknown.'), 400);
    const code = issueCode(engine, { redirectUri: redirect_uri, scopes, consenter, challenge });
    return c.redirect(backTo(redirect_uri, { code, state }));
  });
}
