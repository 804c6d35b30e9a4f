// Consents in the sandbox as a merchant would in a browser: opens the link, presses Continue and Allow, and follows the redirect.
// With a real provider only a person can do this.
import type { Api } from './client.js';
import { ApiProblem } from '../../client/create.js';
import { eventually } from './waiting.js';

const PATIENCE_MS = 30_000;

/** Ensures that the connection exists and is healthy. */
export async function ensureConsent(api: Api, connection: string): Promise<'consented' | 'had consent'> {
  const started = await eventually(
    () => api.beginConnection(connection).catch(ifNotYetReady),
    (answer) => answer !== undefined,
    { what: 'the API to create a connection', limitMs: PATIENCE_MS },
  );
  if (started?.authorize_url === null) return 'had consent';
  await pressAllow(await pressContinue(new URL(started?.authorize_url ?? '')));
  await eventually(
    () => api.getConnection(connection),
    ({ status }) => status === 'healthy',
    { what: `connection ${connection} to be healthy`, limitMs: PATIENCE_MS },
  );
  return 'consented';
}

/** Right after the start the worker may not be polling yet. */
function ifNotYetReady(error: unknown): undefined {
  if (error instanceof ApiProblem && error.status === 503) return undefined;
  throw error;
}

/** A consent under way: the provider's page, and the cookie of the browser that began it. */
export interface StartedConsent {
  page: URL;
  cookie: string;
}

/** Opens a consent link and presses Continue. */
export async function pressContinue(link: URL): Promise<StartedConsent> {
  await mustBe(200, await fetch(link), 'the page of the consent link');
  const headers = { origin: link.origin };
  const pressed = await fetch(link, { method: 'POST', headers, redirect: 'manual' });
  await mustBe(303, pressed, 'the button of the consent link');
  const [cookie = ''] = pressed.headers.getSetCookie().map((set) => set.split(';')[0] ?? '');
  return { page: new URL(pressed.headers.get('location') ?? ''), cookie };
}

async function pressAllow({ page, cookie }: StartedConsent): Promise<void> {
  await mustBe(200, await fetch(page), 'the consent page');
  // The form contains the parameters of the page, and the decision of the button.
  const form = new URLSearchParams([...page.searchParams, ['decision', 'allow']]);
  const target = new URL(page.pathname, page);
  const decided = await fetch(target, { method: 'POST', body: form, redirect: 'manual' });
  await mustBe(302, decided, 'the decision to consent');
  const back = decided.headers.get('location') ?? '';
  await mustBe(200, await fetch(back, { headers: { cookie } }), "the product's page after the consent");
}

async function mustBe(status: number, response: Response, what: string): Promise<void> {
  if (response.status === status) return void (await response.body?.cancel());
  const met = `${response.status} ${(await response.text()).replaceAll(/<[^<>]*>|\s+/g, ' ').slice(0, 300)}`;
  throw new Error(`expected ${what} to answer ${status}, received ${met}`);
}
