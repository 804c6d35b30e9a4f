import { describe, expect, test } from 'vitest';
import { failure, fetchedClient, nothingNew, refusalIn } from '../../support/workflows/provider.js';
import { DAY, HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';

const word = (over: Partial<AttentionResolution> = {}): AttentionResolution => ({
  key: `key-${JSON.stringify(over)}`,
  code: 'parked',
  reason: 'asked them',
  by: 'ops',
  decision: 'adopt',
  ...over,
});
const use = (key: string, body = 'b') => ({ key, uid: 'c', body });

function aScene(given: Partial<Activities> = {}) {
  const at = { state: 'pending', clientId: 'cl-1' };
  const shown = (uid: string) => fetchedClient(uid, at.state, { clientId: at.clientId });
  const scene = inVirtualTime({
    findClient: () => Promise.resolve(null),
    createClient: ({ uid }) => Promise.resolve(shown(uid)),
    lookUpClient: ({ uid }) => Promise.resolve(shown(uid)),
    watchClient: ({ uid, snapshotState, pollIntervals }) =>
      at.state === snapshotState
        ? Promise.reject(nothingNew(pollIntervals === 'service' ? 60_000 : DAY))
        : Promise.resolve(shown(uid)),
    ...given,
  });
  const count = (name: string) => scene.calls.filter((call) => call === name).length;
  return { ...scene, at, count };
}

const found =
  (fits: string[], particulars = {}): Activities['findClient'] =>
  ({ uid }) =>
    Promise.resolve(fetchedClient(uid, 'active', { fits, clientId: fits[0] ?? '' }, particulars));

describe('client', () => {
  test.each([
    ['active', 'suspended', 'active', 'off_boarded', 'active'],
    ['not_configured', 'pending', 'not_configured', 'active'],
  ])('follows state changes in both directions within a day: %s, %s, %s …', async (...states) => {
    const scene = aScene();
    const client = await scene.client();
    for (const state of states) {
      scene.at.state = state;
      await scene.pass(DAY + HOUR);
      expect(client.view()).toMatchObject({ state, attention: [] });
    }
    expect(client.isOver()).toBe(false);
  });

  test('fails with advice if the provider refuses it', async () => {
    const scene = aScene({
      createClient: () => Promise.reject(failure('rejected', ['ZPUNP00'], 'invalid_request', 'Correct it.')),
    });
    const client = await scene.client();
    expect(client.view()).toMatchObject({
      state: 'failed',
      failure: { code: 'ZPUNP00', next: 'Correct it.' },
    });
    expect(client.isOver()).toBe(true);
  });
});

describe('client submission without an answer', () => {
  const lost = () => Promise.reject(failure('unavailable'));

  test('is sent at most three times if the provider does not have it, then parked', async () => {
    const scene = aScene({ createClient: lost });
    const client = await scene.client();
    await scene.pass(DAY);
    expect(client.view()).toMatchObject({ submissions: 3, attention: [{ code: 'parked' }] });
    await client.resolve(word({ decision: 'close' }));
    expect([client.view().state, client.isOver()]).toEqual(['unresolved', true]);
  });
});

test('a client with another name is parked and one below the primary client is adopted', async () => {
  const renamed = aScene({ findClient: found(['cl-1'], { legal_name: 'CORNER GYM PTY. LTD.' }) });
  expect((await renamed.client()).view().attention[0]?.detail).toContain('/legal_name');
  const beneath = aScene({ findClient: found(['cl-1'], { parent_client_id: 'cl-primary' }) });
  expect((await beneath.client()).view()).toMatchObject({ adopted: true, attention: [] });
});

describe('ambiguous existing clients', () => {
  test.each([
    ['several clients', ['cl-1', 'cl-2'], {}, '2 clients of this business'],
    ['one client that differs', ['cl-1'], { merchant_category_code: '4900' }, '/merchant_category_code'],
  ])('park the registration without a submission: %s', async (_name, fits, particulars, words) => {
    const scene = aScene({ findClient: found(fits, particulars) });
    const client = await scene.client();
    expect(client.view()).toMatchObject({ state: 'requested', attention: [{ code: 'parked' }] });
    expect(client.view().attention[0]?.detail).toContain(words);
    await client.resolve(word({ decision: 'close' }));
    expect(client.view()).toMatchObject({ state: 'failed', failure: { code: 'closed' } });
    expect(scene.count('createClient')).toBe(0);
  });

  test('allow an operator to adopt a matching client by its id', async () => {
    const scene = aScene({ findClient: found(['cl-1', 'cl-2']) });
    const client = await scene.client();
    for (const clientId of [undefined, 'cl-9'])
      expect(refusalIn(await client.resolve(word({ clientId })).catch((error: unknown) => error))).toBe(
        'decision_needed',
      );
    scene.at.clientId = 'cl-2';
    await client.resolve(word({ clientId: 'cl-2' }));
    expect(client.view()).toMatchObject({ state: 'pending', clientId: 'cl-2', adopted: true, attention: [] });
  });
});

describe('client change', () => {
  test.each(['not_configured', 'pending', 'suspended'])(
    'is sent once per key for a client that is %s',
    async (state) => {
      const scene = aScene({ changeClient: () => Promise.resolve() });
      scene.at.state = state;
      const client = await scene.client();
      const request = { changes: { website_url: 'https://gym.example/new' }, use: use('k1') };
      await client.change(request);
      await client.change(request);
      await scene.pass(HOUR);
      expect(client.view()).toMatchObject({ state, changes: [{ stage: 'accepted' }] });
      expect([scene.count('changeClient'), scene.count('lookUpClient')]).toEqual([1, 1]);
      const other = client.change({ ...request, use: use('k1', 'other') });
      expect(refusalIn(await other.catch((error: unknown) => error))).toBe('change_key_conflict');
    },
  );

  test("is refused with the provider's code and leaves the client unchanged", async () => {
    const scene = aScene({ changeClient: () => Promise.reject(failure('rejected', ['ZPUNP00'])) });
    const client = await scene.client();
    await client.change({ changes: { legal_name: 'New' }, use: use('k1') });
    expect(client.view()).toMatchObject({
      state: 'pending',
      changes: [{ stage: 'refused', failure: { code: 'ZPUNP00' } }],
    });
  });

  test('is refused if the client is not registered', async () => {
    const scene = aScene({ findClient: found(['cl-1', 'cl-2']) });
    const client = await scene.client();
    const asked = client.change({ changes: { legal_name: 'New' }, use: use('k1') });
    expect(refusalIn(await asked.catch((error: unknown) => error))).toBe('client_not_registered');
  });
});
