// What a person sees who is asked to let an application act for them, and what they see when the request is wrong.
import { html } from 'hono/html';
import { page } from '../http/page.js';
import { SCOPES } from '../http/scopes.js';
import { CONSENTERS } from '../tokens/consenters.js';

/** The request, as it is posted back together with the decision. */
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
      <p>The application <strong>${request.client_id}</strong> asks to act for you. It could:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${SCOPES.get(scope)} (<code>${scope}</code>)</li>`)}
      </ul>
      <p>Afterwards you return to <code>${request.redirect_uri}</code>.</p>
      <form method="post" action="/oauth/authorize">
        ${Object.entries(request).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        <label
          >You consent for
          <select name="consenter">
            ${[...CONSENTERS].map(([name, { account }]) => html`<option value="${name}">${account.name}</option>`)}
          </select>
        </label>
        <button class="primary" type="submit" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny">Deny</button>
      </form>
      <p class="note">This is the sandbox: no real money moves here.</p>
    </main>`,
  );
}

export function consentErrorPage(explanation: string) {
  return page(
    'This request cannot be used',
    html`<main class="narrow">
      <h1>This request cannot be used</h1>
      <p role="alert">${explanation}</p>
    </main>`,
  );
}
