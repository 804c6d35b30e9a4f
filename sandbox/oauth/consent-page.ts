// The consent page, and the page for an invalid request.
import { html } from 'hono/html';
import { page } from '../http/page.js';
import { SCOPES } from '../http/scopes.js';
import { CONSENTERS } from '../tokens/consenters.js';

/** The request, which the form posts back with the decision. */
export interface ConsentRequest {
  response_type: string;
  client_id: string;
  redirect_uri: string;
  scope: string;
  state: string;
  code_challenge?: string;
  code_challenge_method?: string;
}

export function consentPage(request: ConsentRequest, scopes: readonly string[]) {
  return page(
    `Allow ${request.client_id}?`,
    html`<main class="narrow">
      <h1>Allow ${request.client_id}?</h1>
      <p>The application <strong>${request.client_id}</strong> requests permission to:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${SCOPES.get(scope)} (<code>${scope}</code>)</li>`)}
      </ul>
      <p>You will be redirected to <code>${request.redirect_uri}</code>.</p>
      <form method="post" action="/oauth/authorize">
        ${Object.entries(request).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        <label
          >Account
          <select name="consenter">
            ${[...CONSENTERS].map(([name, { account }]) => html`<option value="${name}">${account.name}</option>`)}
          </select>
        </label>
        <button class="primary" type="submit" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny">Deny</button>
      </form>
      <p class="note">This is the sandbox. No real money moves.</p>
    </main>`,
  );
}

export function consentErrorPage(explanation: string) {
  return page(
    'Invalid authorisation request',
    html`<main class="narrow">
      <h1>Invalid authorisation request</h1>
      <p role="alert">${explanation}</p>
    </main>`,
  );
}
